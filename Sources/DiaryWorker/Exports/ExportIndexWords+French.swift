import DiaryCore

extension ExportIndexWords {
    /// Before a colon and a semicolon stands a narrow no-break space (U+202F).
    static let french = ExportIndexWords(
        language: .fr, title: "Journal, #", skip: "Aller aux entrées", months: "Mois", empty: "Il n’y a pas d’entrées pour ces jours.",
        entries: PluralText(one: "# entrée", other: "# entrées"),
        recordings: PluralText(one: "# enregistrement", other: "# enregistrements"),
        part: "partie #", partOf: "partie # sur ##", exported: "Exporté le #",
        search: "Rechercher", foundNone: "Aucune entrée trouvée",
        found: PluralText(one: "# entrée trouvée", other: "# entrées trouvées"),
        recordingOf: "Enregistrement du #", favorite: "Favori", mood: "Humeur\u{202F}:", summary: "Résumé",
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
