import DiaryCore

extension ExportLinkWords {
    static let english = ExportLinkWords(
        language: .en, title: "Your # export", titleWithoutApp: "Your diary export",
        day: "Day", days: "Days", selection: "Selection",
        inside: "Inside",
        entries: PluralText(one: "1 entry", other: "# entries"),
        size: "Size", parts: "Parts", downloadsLeft: "Downloads left",
        numberOf: "# of ##", worksUntil: "Works until",
        withTags: "entries with the tags that were asked for", recordingsAlone: "recordings", textsAlone: "typed entries",
        oneEntry: "one entry", changesAlone: "what changed since an earlier export",
        recordings: "recordings", overview: "a page to read and search offline", texts: "texts", subtitles: "subtitles", data: "data",
        download: "Download the zip", downloadPart: "Download part # of ##",
        allUsed: "All downloads of this link are used. Ask for a new export in the app.",
        partUsed: "Part # of ##: all downloads are used.",
        costs: "Each click on the button uses one download; one that breaks off can be resumed. Reload this page to see how many are left.",
        partCosts:
            "Each part is a zip of its own, in order of time. Each click on a button uses one download of that part; one that breaks off can be resumed. Reload this page to see how many are left.",
        personal: "This link is personal: anyone who has it can download the entries. Do not pass it on.",
        expired: Advice(
            title: "The link has expired", text: "It was used up, was revoked or is too old. Ask for a new export in the app."),
        refused: Advice(title: "The link is not valid", text: "Open it again from the mail, as it was sent."),
        missing: Advice(
            title: "There is nothing here", text: "If a link of a mail led here, open it again from the mail, as it was sent."),
        developers: "For developers: how to use the API",
        method: Advice(
            title: "This address works by a button", text: "Open the link of the mail, and press the button of its page."),
        otherTitle: nil, otherText: "Please try again in a moment.", request: "Request",
        units: ["bytes", "kB", "MB", "GB"])
}

extension ExportLinkWords {
    static let german = ExportLinkWords(
        language: .de, title: "Dein Export aus #", titleWithoutApp: "Dein Tagebuch-Export",
        day: "Tag", days: "Tage", selection: "Auswahl", inside: "Inhalt",
        entries: PluralText(one: "1 Eintrag", other: "# Einträge"),
        size: "Größe", parts: "Teile", downloadsLeft: "Downloads übrig",
        numberOf: "# von ##", worksUntil: "Gültig bis",
        withTags: "Einträge mit den gewünschten Tags", recordingsAlone: "Aufnahmen", textsAlone: "getippte Einträge",
        oneEntry: "ein Eintrag", changesAlone: "was sich seit einem früheren Export geändert hat",
        recordings: "Aufnahmen", overview: "eine Seite zum Lesen und Suchen ohne Internet", texts: "Texte", subtitles: "Untertitel",
        data: "Daten",
        download: "Zip herunterladen", downloadPart: "Teil # von ## herunterladen",
        allUsed: "Alle Downloads dieses Links sind verbraucht. Fordere in der App einen neuen Export an.",
        partUsed: "Teil # von ##: Alle Downloads sind verbraucht.",
        costs:
            "Jeder Klick auf den Knopf verbraucht einen Download; ein abgebrochener lässt sich fortsetzen. Lade diese Seite neu, um zu sehen, wie viele übrig sind.",
        partCosts:
            "Jeder Teil ist ein eigenes Zip, in der Reihenfolge der Zeit. Jeder Klick auf einen Knopf verbraucht einen Download dieses Teils; ein abgebrochener lässt sich fortsetzen. Lade diese Seite neu, um zu sehen, wie viele übrig sind.",
        personal: "Dieser Link ist persönlich: Wer ihn hat, kann die Einträge herunterladen. Gib ihn nicht weiter.",
        expired: Advice(
            title: "Dieser Link gilt nicht mehr",
            text: "Er ist verbraucht, widerrufen oder zu alt. Fordere in der App einen neuen Export an."),
        refused: Advice(title: "Dieser Link ist ungültig", text: "Öffne ihn noch einmal aus der Mail, so wie er dort steht."),
        missing: Advice(
            title: "Hier ist nichts",
            text: "Wenn dich ein Link aus einer Mail hierher geführt hat, öffne ihn noch einmal aus der Mail, so wie er dort steht."),
        developers: "Für Entwickler: So nutzt man die API",
        method: Advice(
            title: "Diese Adresse braucht einen Knopf", text: "Öffne den Link aus der Mail und drücke den Knopf auf seiner Seite."),
        otherTitle: "Das hat nicht geklappt", otherText: "Versuch es gleich noch einmal.", request: "Anfrage",
        units: ["Bytes", "kB", "MB", "GB"])
}

extension ExportLinkWords {
    /// Before a colon stands a narrow no-break space (U+202F).
    static let french = ExportLinkWords(
        language: .fr, title: "Votre export #", titleWithoutApp: "L’export de votre journal",
        day: "Jour", days: "Jours", selection: "Sélection",
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
        developers: "Pour les développeurs\u{202F}: comment utiliser l’API",
        method: Advice(
            title: "Cette adresse fonctionne par un bouton", text: "Ouvrez le lien du message et appuyez sur le bouton de sa page."),
        otherTitle: "Cela n’a pas fonctionné", otherText: "Réessayez dans un instant.", request: "Requête",
        units: ["octets", "ko", "Mo", "Go"])
}

extension ExportLinkWords {
    static let spanish = ExportLinkWords(
        language: .es, title: "Tu exportación de #", titleWithoutApp: "La exportación de tu diario",
        day: "Día", days: "Días", selection: "Selección", inside: "Contenido",
        entries: PluralText(one: "1 entrada", other: "# entradas"),
        size: "Tamaño", parts: "Partes", downloadsLeft: "Descargas restantes",
        numberOf: "# de ##", worksUntil: "Válido hasta",
        withTags: "entradas con las etiquetas pedidas", recordingsAlone: "grabaciones", textsAlone: "entradas escritas",
        oneEntry: "una entrada", changesAlone: "lo que ha cambiado desde una exportación anterior",
        recordings: "grabaciones", overview: "una página para leer y buscar sin conexión", texts: "textos", subtitles: "subtítulos",
        data: "datos",
        download: "Descargar el zip", downloadPart: "Descargar la parte # de ##",
        allUsed: "Se han usado todas las descargas de este enlace. Pide una nueva exportación en la aplicación.",
        partUsed: "Parte # de ##: se han usado todas las descargas.",
        costs:
            "Cada clic en el botón usa una descarga; si se interrumpe, se puede reanudar. Vuelve a cargar esta página para ver cuántas quedan.",
        partCosts:
            "Cada parte es un zip propio, por orden de fecha. Cada clic en un botón usa una descarga de esa parte; si se interrumpe, se puede reanudar. Vuelve a cargar esta página para ver cuántas quedan.",
        personal: "Este enlace es personal: quien lo tenga puede descargar las entradas. No lo compartas.",
        expired: Advice(
            title: "Este enlace ha caducado",
            text: "Se ha agotado, se ha revocado o es demasiado antiguo. Pide una nueva exportación en la aplicación."),
        refused: Advice(title: "Este enlace no es válido", text: "Ábrelo otra vez desde el correo, tal como se envió."),
        missing: Advice(
            title: "Aquí no hay nada",
            text: "Si has llegado por un enlace de un correo, ábrelo otra vez desde el correo, tal como se envió."),
        developers: "Para desarrolladores: cómo usar la API",
        method: Advice(
            title: "Esta dirección funciona con un botón", text: "Abre el enlace del correo y pulsa el botón de su página."),
        otherTitle: "No ha funcionado", otherText: "Vuelve a intentarlo en un momento.", request: "Solicitud",
        units: ["bytes", "kB", "MB", "GB"])
}
