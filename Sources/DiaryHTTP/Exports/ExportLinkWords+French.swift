import DiaryCore

extension ExportLinkWords {
    /// Before a colon stands a narrow no-break space (U+202F).
    static let french = ExportLinkWords(
        language: .fr, title: "Votre export #", titleWithoutApp: "L’export de votre journal",
        day: "Jour", days: "Jours", times: "Heures", localTimes: "celles du lieu de chaque entrée", selection: "Sélection",
        inside: "Contenu",
        entries: PluralText(one: "# entrée", other: "# entrées"),
        size: "Taille", parts: "Parties",
        downloadsLeft: "Téléchargements restants", colon: "\u{202F}:", numberOf: "# sur ##", worksUntil: "Valable jusqu’au",
        withTags: "les entrées avec les étiquettes demandées", recordingsAlone: "les enregistrements",
        textsAlone: "les entrées saisies", oneEntry: "une entrée", changesAlone: "ce qui a changé depuis un export précédent",
        recordings: "enregistrements", overview: "une page à lire et où chercher hors connexion", texts: "textes",
        subtitles: "sous-titres", data: "données",
        download: "Télécharger le zip", downloadPart: "Télécharger la partie # sur ##",
        allUsed: "Tous les téléchargements de ce lien ont été utilisés. Demandez un nouvel export dans l’application.",
        partUsed: "Partie # sur ##\u{202F}: tous les téléchargements ont été utilisés.",
        costs:
            "Chaque clic sur le bouton utilise un téléchargement\u{202F}; s’il est interrompu, il peut être repris. Rechargez cette page pour voir combien il en reste.",
        partCosts:
            "Chaque partie est un zip à part, dans l’ordre du temps. Chaque clic sur un bouton utilise un téléchargement de cette partie\u{202F}; s’il est interrompu, il peut être repris. Rechargez cette page pour voir combien il en reste.",
        personal: "Ce lien est personnel\u{202F}: toute personne qui le possède peut télécharger les entrées. Ne le transmettez pas.",
        expired: Advice(
            title: "Ce lien n’est plus valable",
            text: "Il a été épuisé, révoqué ou il est trop ancien. Demandez un nouvel export dans l’application."),
        refused: Advice(title: "Ce lien n’est pas valable", text: "Ouvrez-le à nouveau depuis le message, tel qu’il a été envoyé."),
        missing: Advice(
            title: "Il n’y a rien ici",
            text: "Si un lien d’un message vous a conduit ici, ouvrez-le à nouveau depuis le message, tel qu’il a été envoyé."),
        method: Advice(
            title: "Cette adresse fonctionne par un bouton", text: "Ouvrez le lien du message et appuyez sur le bouton de sa page."),
        otherTitle: "Cela n’a pas fonctionné", otherText: "Réessayez dans un instant.", request: "Requête",
        units: ["octets", "ko", "Mo", "Go"])
}
