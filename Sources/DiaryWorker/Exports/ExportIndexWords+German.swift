import DiaryCore

extension ExportIndexWords {
    static let german = ExportIndexWords(
        language: .de, title: "Tagebuch, #", skip: "Zu den Einträgen springen", months: "Monate",
        empty: "In diesen Tagen gibt es keine Einträge.",
        entries: PluralText(one: "1 Eintrag", other: "# Einträge"), recordings: PluralText(one: "1 Aufnahme", other: "# Aufnahmen"),
        part: "Teil #", partOf: "Teil # von ##", exported: "Exportiert am #",
        search: "Suchen", foundNone: "Kein Eintrag gefunden", found: PluralText(one: "1 Eintrag gefunden", other: "# Einträge gefunden"),
        recordingOf: "Aufnahme vom #", favorite: "Favorit", mood: "Stimmung:", summary: "Zusammenfassung",
        transcript: "Transkript mit Zeiten",
        tags: "Tags", files: "Dateien:", recording: "Aufnahme", text: "Text", subtitles: "Untertitel", index: "Übersicht",
        gaps: Gaps(
            removed: "Die Aufnahme wurde entfernt, ihr Text ist noch da.",
            refused: "Die Aufnahme ist nie angekommen oder wurde abgelehnt.",
            notArrived: "Die Aufnahme ist noch nicht angekommen.",
            damagedRecording: "Die Aufnahme ist dort, wo sie gespeichert ist, beschädigt und lässt sich nicht lesen.",
            missingRecording: "Die Aufnahme ist nicht mehr dort, wo sie gespeichert war.",
            damaged: "Ein Teil dieses Eintrags ist dort, wo er gespeichert ist, beschädigt und lässt sich nicht lesen.",
            damagedTimes: "Die Zeiten der Wörter sind dort, wo sie gespeichert sind, beschädigt und lassen sich nicht lesen.",
            notTranscribed: "Noch nicht transkribiert.",
            otherLayer: "Einen Text der gewünschten Art gibt es nicht; hier steht, was die App zeigt."))
}
