import DiaryCore

/// A no-break space stands before `:` and `;`.
extension BuiltInMails {
    static func french(_ kind: MailKind) -> String {
        switch kind {
        case .verificationCode:
            """
            Subject: Votre code pour {app}

            Saisissez ce code dans {app}\u{A0}:

            {code}

            Il est valable {minutes|# minute|# minutes} et une seule fois.

            Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.
            """
        case .addressAlreadyRegistered:
            """
            Subject: Vous avez déjà un compte {app}

            Quelqu’un, sans doute vous, a voulu inscrire cette adresse à {app}. Il existe déjà un compte avec elle.

            Pour entrer, connectez-vous avec cette adresse et votre mot de passe.

            Si ce n’était pas vous, ne tenez pas compte de ce message. Rien n’a été modifié.
            """
        case .exportReady:
            """
            Subject: Votre export {app} est prêt

            L’export de vos entrées {app} {days} est prêt. Téléchargez-le ici\u{A0}:

            {link|Ouvrir la page de téléchargement}

            Il contient {entries|# entrée|# entrées}.

            Le lien est valable jusqu’au {until}. Toute personne qui le possède peut télécharger l’export\u{A0}: ne transférez pas ce message.

            Si vous n’avez pas demandé d’export, connectez-vous et supprimez-le\u{A0}: son lien cessera aussitôt de fonctionner.

            {unsubscribe|Ne plus recevoir ces messages réguliers}
            """
        case .signInCode:
            """
            Subject: Votre code de connexion à {app}

            Saisissez ce code dans {app} pour vous connecter\u{A0}:

            {code}

            Il est valable {minutes|# minute|# minutes} et une seule fois, dans l’application qui l’a demandé.

            Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.
            """
        case .resetCode:
            """
            Subject: Votre code pour un nouveau mot de passe {app}

            Saisissez ce code dans {app} pour choisir un nouveau mot de passe\u{A0}:

            {code}

            Il est valable {minutes|# minute|# minutes} et une seule fois, dans l’application qui l’a demandé.

            Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.
            """
        case .addressCode:
            """
            Subject: Votre code pour {app}

            Saisissez ce code dans {app} pour que cette adresse y soit la vôtre\u{A0}:

            {code}

            Il est valable {minutes|# minute|# minutes} et une seule fois, dans l’application qui l’a demandé.

            Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.
            """
        case .reauthenticationCode:
            """
            Subject: Votre code pour confirmer un changement dans {app}

            Saisissez ce code dans {app} pour confirmer que c’est bien vous\u{A0}:

            {code}

            Il est valable {minutes|# minute|# minutes} et une seule fois, dans l’application qui l’a demandé.

            Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.
            """
        case .sessionReused:
            """
            Subject: Vous avez été déconnecté de {app} sur un appareil

            Une clé de votre session, déjà utilisée, a été présentée de nouveau. Nous avons mis fin à cette session\u{A0}: la clé a pu être copiée sur votre appareil.

            Reconnectez-vous sur cet appareil. Si vous pensez que quelqu’un d’autre est entré dans votre compte, choisissez un nouveau mot de passe\u{A0}; il met fin à toutes les autres sessions.
            """
        case .passwordChanged:
            """
            Subject: Votre mot de passe {app} a été modifié

            Votre mot de passe a été modifié, et toutes les sessions ont pris fin.

            Si ce n’était pas vous, demandez maintenant un nouveau mot de passe dans {app}\u{A0}: le code arrivera à cette adresse.
            """
        case .addressChanged:
            """
            Subject: Votre adresse {app} a été modifiée

            Votre compte a désormais une autre adresse. Celle-ci ne permet plus de se connecter.

            Si ce n’était pas vous, quelqu’un d’autre est entré dans votre compte\u{A0}: écrivez dès aujourd’hui à l’exploitant de {app}.
            """
        case .identityLinked:
            """
            Subject: Un moyen de connexion a été ajouté à {app}

            Votre compte peut désormais aussi être ouvert avec Apple ou Google.

            Si ce n’était pas vous, retirez-le dans {app}, parmi les moyens de connexion, et choisissez un nouveau mot de passe.
            """
        case .identityUnlinked:
            """
            Subject: Un moyen de connexion a été retiré de {app}

            L’un des moyens de connexion à votre compte ne fonctionne plus.

            Si ce n’était pas vous, quelqu’un d’autre est entré dans votre compte\u{A0}: écrivez dès aujourd’hui à l’exploitant de {app}.
            """
        }
    }
}
