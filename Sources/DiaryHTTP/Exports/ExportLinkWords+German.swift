import DiaryCore

extension ExportLinkWords {
    static let german = ExportLinkWords(
        language: .de, title: "Dein Export aus #", titleWithoutApp: "Dein Tagebuch-Export",
        day: "Tag", days: "Tage", times: "Uhrzeiten", localTimes: "vom Ort des jeweiligen Eintrags", selection: "Auswahl", inside: "Inhalt",
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
        method: Advice(
            title: "Diese Adresse braucht einen Knopf", text: "Öffne den Link aus der Mail und drücke den Knopf auf seiner Seite."),
        otherTitle: "Das hat nicht geklappt", otherText: "Versuch es gleich noch einmal.", request: "Anfrage",
        units: ["Bytes", "kB", "MB", "GB"])
}
