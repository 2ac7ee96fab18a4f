/// All that the service says in French; ``LanguageFile`` says in which form.
/// A no-break space stands before `:`, `;` and `?`: `\u{A0}` in mails, on pages the narrow `\u{202F}`.
extension WrittenLanguage {
    static let french = """
        [numbers]
        thousands: \u{202F}
        tenths: ,
        one: 0 | 1

        [dates]
        months: janvier | février | mars | avril | mai | juin | juillet | août | septembre | octobre | novembre | décembre
        day: #
        firstDay: #er
        dayMonth: # ##
        monthYear: # ##
        range: # au ##
        allDays: tous les jours
        until: jusqu’au #
        since: depuis le #
        zone: heure de #

        [export days]
        one: du #
        several: du #
        all: de #

        [export link]
        title: Votre export #
        titleWithoutApp: L’export de votre journal
        day: Jour
        days: Jours
        selection: Sélection
        inside: Contenu
        entries: # entrée | # entrées
        size: Taille
        parts: Parties
        downloadsLeft: Téléchargements restants
        numberOf: # sur ##
        worksUntil: Valable jusqu’au
        withTags: les entrées avec les étiquettes demandées
        recordingsAlone: les enregistrements
        textsAlone: les entrées saisies
        oneEntry: une entrée
        chosenEntries: entrées choisies
        changesAlone: ce qui a changé depuis un export précédent
        recordings: enregistrements
        overview: une page à lire et où chercher hors connexion
        texts: textes
        subtitles: sous-titres
        data: données
        download: Télécharger le zip
        downloadPart: Télécharger la partie # sur ##
        allUsed: Tous les téléchargements de ce lien ont été utilisés. Demandez un nouvel export dans l’application.
        partUsed: Partie # sur ##\u{202F}: tous les téléchargements ont été utilisés.
        costs: Chaque clic sur le bouton utilise un téléchargement\u{202F}; s’il est interrompu, il peut être repris. Rechargez cette page pour voir combien il en reste.
        partCosts: Chaque partie est un zip à part, dans l’ordre du temps. Chaque clic sur un bouton utilise un téléchargement de cette partie\u{202F}; s’il est interrompu, il peut être repris. Rechargez cette page pour voir combien il en reste.
        personal: Ce lien est personnel\u{202F}: toute personne qui le possède peut télécharger les entrées. Ne le transmettez pas.
        expiredTitle: Ce lien n’est plus valable
        expiredText: Il est épuisé, trop ancien, ou a pris fin avec un changement dans le journal ou de mot de passe. Redemandez-le dans l’application.
        refusedTitle: Ce lien n’est pas valable
        refusedText: Ouvrez-le à nouveau depuis le message, tel qu’il a été envoyé.
        missingTitle: Il n’y a rien ici
        missingText: Si un lien d’un message vous a conduit ici, ouvrez-le à nouveau depuis le message, tel qu’il a été envoyé.
        developers: Pour les développeurs\u{202F}: comment utiliser l’API
        methodTitle: Cette adresse fonctionne par un bouton
        methodText: Ouvrez le lien du message et appuyez sur le bouton de sa page.
        otherTitle: Cela n’a pas fonctionné
        otherText: Réessayez dans un instant.
        request: Requête
        units: octets | ko | Mo | Go
        colon: \u{202F}:

        [unsubscribe]
        question: Ne plus recevoir ces messages\u{202F}?
        explanation: Dans #, un export est fait régulièrement pour vous, et son lien vous est envoyé.
        button: Ne plus les recevoir
        staysAsItIs: Les exports continuent d’être faits\u{202F}; vous les trouvez dans l’application, où vous pouvez aussi réactiver les messages.
        done: Vous ne recevrez plus ces messages
        doneText: Vous ne recevrez plus de messages avec des liens de cet export de #. Les exports continuent d’être faits et se trouvent dans l’application.
        diary: votre journal

        [markdown]
        tags: Étiquettes\u{A0}: #
        transcript: Transcription
        notes: Notes\u{A0}:

        [export index]
        title: Journal, #
        skip: Aller aux entrées
        months: Mois
        empty: Il n’y a pas d’entrées pour ces jours.
        entries: # entrée | # entrées
        recordings: # enregistrement | # enregistrements
        part: partie #
        partOf: partie # sur ##
        exported: Exporté le #
        search: Rechercher
        foundNone: Aucune entrée trouvée
        found: # entrée trouvée | # entrées trouvées
        recordingOf: Enregistrement du #
        favorite: Favori
        mood: Humeur\u{202F}:
        notes: Notes\u{A0}:
        summary: Résumé
        transcript: Transcription avec les temps
        tags: Étiquettes
        files: Fichiers\u{202F}:
        recording: enregistrement
        text: texte
        subtitles: sous-titres
        index: index
        removed: L’enregistrement a été supprimé\u{202F}; son texte a été conservé.
        onDevice: L’enregistrement est sur l’appareil qui l’a fait.
        refused: L’enregistrement n’est jamais arrivé, ou a été refusé.
        notArrived: L’enregistrement n’est pas encore arrivé.
        damagedRecording: L’enregistrement a été endommagé là où il est conservé et ne peut pas être lu.
        missingRecording: L’enregistrement n’est plus là où il était conservé.
        damaged: Une partie de cette entrée a été endommagée là où elle est conservée et ne peut pas être lue.
        damagedTimes: Les temps des mots ont été endommagés là où ils sont conservés et ne peuvent pas être lus.
        notTranscribed: Pas encore transcrit.
        otherLayer: Il n’y a pas de texte du type demandé\u{202F}; voici ce que montre l’application.

        [mail verification_code]
        Subject: Votre code pour {app}

        Saisissez ce code dans {app}\u{A0}:

        {code}

        Il est valable {minutes|# minute|# minutes} et une seule fois.

        Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.

        [mail address_already_registered]
        Subject: Vous avez déjà un compte {app}

        Quelqu’un, sans doute vous, a voulu inscrire cette adresse à {app}. Il existe déjà un compte avec elle.

        Pour entrer, connectez-vous avec cette adresse et votre mot de passe.

        Si ce n’était pas vous, ne tenez pas compte de ce message. Rien n’a été modifié.

        [mail export_ready]
        Subject: Votre export {app} est prêt

        L’export de vos entrées {app} {days} est prêt. Téléchargez-le ici\u{A0}:

        {link|Ouvrir la page de téléchargement}

        Il contient {entries|# entrée|# entrées}.

        Le lien est valable jusqu’au {until}. Toute personne qui le possède peut télécharger l’export\u{A0}: ne transférez pas ce message.

        Si vous n’avez pas demandé d’export, connectez-vous et supprimez-le\u{A0}: son lien cessera aussitôt de fonctionner.

        {unsubscribe|Ne plus recevoir ces messages réguliers}

        [mail sign_in_code]
        Subject: Votre code de connexion à {app}

        Saisissez ce code dans {app} pour vous connecter\u{A0}:

        {code}

        Il est valable {minutes|# minute|# minutes} et une seule fois, dans l’application qui l’a demandé.

        Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.

        [mail reset_code]
        Subject: Votre code pour un nouveau mot de passe {app}

        Saisissez ce code dans {app} pour choisir un nouveau mot de passe\u{A0}:

        {code}

        Il est valable {minutes|# minute|# minutes} et une seule fois, dans l’application qui l’a demandé.

        Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.

        [mail address_code]
        Subject: Votre code pour {app}

        Saisissez ce code dans {app} pour que cette adresse y soit la vôtre\u{A0}:

        {code}

        Il est valable {minutes|# minute|# minutes} et une seule fois, dans l’application qui l’a demandé.

        Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.

        [mail reauthentication_code]
        Subject: Votre code pour confirmer un changement dans {app}

        Saisissez ce code dans {app} pour confirmer que c’est bien vous\u{A0}:

        {code}

        Il est valable {minutes|# minute|# minutes} et une seule fois, dans l’application qui l’a demandé.

        Si vous ne l’avez pas demandé, ne tenez pas compte de ce message. Personne de {app} ne vous demandera jamais ce code.

        [mail session_reused]
        Subject: Vous avez été déconnecté de {app} sur un appareil

        Une clé de votre session, déjà utilisée, a été présentée de nouveau. Nous avons mis fin à cette session\u{A0}: la clé a pu être copiée sur votre appareil.

        Reconnectez-vous sur cet appareil. Si vous pensez que quelqu’un d’autre est entré dans votre compte, choisissez un nouveau mot de passe\u{A0}; il met fin à toutes les autres sessions.

        [mail password_changed]
        Subject: Votre mot de passe {app} a été modifié

        Votre mot de passe a été modifié, et toutes les sessions ont pris fin.

        Si ce n’était pas vous, demandez maintenant un nouveau mot de passe dans {app}\u{A0}: le code arrivera à cette adresse.

        [mail address_changed]
        Subject: Votre adresse {app} a été modifiée

        Votre compte a désormais une autre adresse. Celle-ci ne permet plus de se connecter.

        Si ce n’était pas vous, quelqu’un d’autre est entré dans votre compte\u{A0}: écrivez dès aujourd’hui à l’exploitant de {app}.

        [mail identity_linked]
        Subject: Un moyen de connexion a été ajouté à {app}

        Votre compte peut désormais aussi être ouvert avec Apple ou Google.

        Si ce n’était pas vous, retirez-le dans {app}, parmi les moyens de connexion, et choisissez un nouveau mot de passe.

        [mail identity_unlinked]
        Subject: Un moyen de connexion a été retiré de {app}

        L’un des moyens de connexion à votre compte ne fonctionne plus.

        Si ce n’était pas vous, quelqu’un d’autre est entré dans votre compte\u{A0}: écrivez dès aujourd’hui à l’exploitant de {app}.
        """
}
