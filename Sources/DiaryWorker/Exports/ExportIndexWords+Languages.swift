import DiaryCore

extension ExportIndexWords {
    static let english = ExportIndexWords(
        language: .en, title: "Diary, #", skip: "Skip to the entries", months: "Months", empty: "There are no entries in these days.",
        entries: PluralText(one: "1 entry", other: "# entries"), recordings: PluralText(one: "1 recording", other: "# recordings"),
        part: "part #", partOf: "part # of ##", exported: "Exported #",
        search: "Search", foundNone: "No entry found", found: PluralText(one: "1 entry found", other: "# entries found"),
        recordingOf: "Recording of #", favorite: "Favourite", notes: ["Mood:"], summary: "Summary", transcript: "Transcript with times",
        tags: "Tags", files: "Files:", recording: "recording", text: "text", subtitles: "subtitles", index: "index",
        gaps: Gaps(
            removed: "The recording was removed; its text was kept.",
            refused: "The recording never arrived, or was refused.",
            notArrived: "The recording has not arrived yet.",
            damagedRecording: "The recording was damaged where it is stored and cannot be read.",
            missingRecording: "The recording is no longer where it was stored.",
            damaged: "A part of this entry was damaged where it is stored and cannot be read.",
            damagedTimes: "The times of the words were damaged where they are stored and cannot be read.",
            notTranscribed: "Not transcribed yet.",
            otherLayer: "There is no text of the kind that was asked for; this is what the app shows."))
}

extension ExportIndexWords {
    static let german = ExportIndexWords(
        language: .de, title: "Tagebuch, #", skip: "Zu den Einträgen springen", months: "Monate",
        empty: "In diesen Tagen gibt es keine Einträge.",
        entries: PluralText(one: "1 Eintrag", other: "# Einträge"), recordings: PluralText(one: "1 Aufnahme", other: "# Aufnahmen"),
        part: "Teil #", partOf: "Teil # von ##", exported: "Exportiert am #",
        search: "Suchen", foundNone: "Kein Eintrag gefunden", found: PluralText(one: "1 Eintrag gefunden", other: "# Einträge gefunden"),
        recordingOf: "Aufnahme vom #", favorite: "Favorit", notes: ["Stimmung:"], summary: "Zusammenfassung",
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

extension ExportIndexWords {
    /// Before a colon and a semicolon stands a narrow no-break space (U+202F).
    static let french = ExportIndexWords(
        language: .fr, title: "Journal, #", skip: "Aller aux entrées", months: "Mois", empty: "Il n’y a pas d’entrées pour ces jours.",
        entries: PluralText(one: "# entrée", other: "# entrées"),
        recordings: PluralText(one: "# enregistrement", other: "# enregistrements"),
        part: "partie #", partOf: "partie # sur ##", exported: "Exporté le #",
        search: "Rechercher", foundNone: "Aucune entrée trouvée",
        found: PluralText(one: "# entrée trouvée", other: "# entrées trouvées"),
        recordingOf: "Enregistrement du #", favorite: "Favori", notes: ["Humeur\u{202F}:"], summary: "Résumé",
        transcript: "Transcription avec les temps",
        tags: "Étiquettes", files: "Fichiers\u{202F}:", recording: "enregistrement", text: "texte", subtitles: "sous-titres",
        index: "index",
        gaps: Gaps(
            removed: "L’enregistrement a été supprimé\u{202F}; son texte a été conservé.",
            refused: "L’enregistrement n’est jamais arrivé, ou a été refusé.",
            notArrived: "L’enregistrement n’est pas encore arrivé.",
            damagedRecording: "L’enregistrement a été endommagé là où il est conservé et ne peut pas être lu.",
            missingRecording: "L’enregistrement n’est plus là où il était conservé.",
            damaged: "Une partie de cette entrée a été endommagée là où elle est conservée et ne peut pas être lue.",
            damagedTimes: "Les temps des mots ont été endommagés là où ils sont conservés et ne peuvent pas être lus.",
            notTranscribed: "Pas encore transcrit.",
            otherLayer: "Il n’y a pas de texte du type demandé\u{202F}; voici ce que montre l’application."))
}

extension ExportIndexWords {
    static let spanish = ExportIndexWords(
        language: .es, title: "Diario, #", skip: "Ir a las entradas", months: "Meses", empty: "No hay entradas en estos días.",
        entries: PluralText(one: "1 entrada", other: "# entradas"), recordings: PluralText(one: "1 grabación", other: "# grabaciones"),
        part: "parte #", partOf: "parte # de ##", exported: "Exportado el #",
        search: "Buscar", foundNone: "No se ha encontrado ninguna entrada",
        found: PluralText(one: "1 entrada encontrada", other: "# entradas encontradas"),
        recordingOf: "Grabación del #", favorite: "Favorita", notes: ["Estado de ánimo:"], summary: "Resumen",
        transcript: "Transcripción con tiempos",
        tags: "Etiquetas", files: "Archivos:", recording: "grabación", text: "texto", subtitles: "subtítulos", index: "índice",
        gaps: Gaps(
            removed: "La grabación se eliminó; su texto se conserva.",
            refused: "La grabación nunca llegó o fue rechazada.",
            notArrived: "La grabación aún no ha llegado.",
            damagedRecording: "La grabación se ha dañado donde está guardada y no se puede leer.",
            missingRecording: "La grabación ya no está donde se guardó.",
            damaged: "Una parte de esta entrada se ha dañado donde está guardada y no se puede leer.",
            damagedTimes: "Los tiempos de las palabras se han dañado donde están guardados y no se pueden leer.",
            notTranscribed: "Aún sin transcribir.",
            otherLayer: "No hay texto del tipo pedido; esto es lo que muestra la aplicación."))
}
