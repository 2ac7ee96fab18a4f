import DiaryCore

extension ExportIndexWords {
    static let english = ExportIndexWords(
        language: .en, title: "Diary, #", skip: "Skip to the entries", months: "Months", empty: "There are no entries in these days.",
        entries: PluralText(one: "1 entry", other: "# entries"), recordings: PluralText(one: "1 recording", other: "# recordings"),
        part: "part #", partOf: "part # of ##", exported: "Exported #",
        search: "Search", foundNone: "No entry found", found: PluralText(one: "1 entry found", other: "# entries found"),
        recordingOf: "Recording of #", favorite: "Favourite", mood: "Mood:", summary: "Summary", transcript: "Transcript with times",
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
