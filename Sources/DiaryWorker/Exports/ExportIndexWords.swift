import DiaryCore

/// What `index.html` says beside the diary.
enum ExportIndexWord: String, WrittenKey {
    static let section = "export index"

    /// `#`: the days.
    case title
    case skip, months, empty, entries, recordings
    case part, partOf
    /// `#`: day and time.
    case exported

    case search, foundNone
    /// The script puts in the number.
    case found

    /// `#`: day and time. What a screen reader says of the player.
    case recordingOf
    case favorite
    /// Before the owner's words: the name of one of `PersonalText.remarks`, which may do without.
    case mood
    /// Before the notes.
    case notes
    case summary, transcript, tags
    /// Before the names of files.
    case files
    /// Of files, as they stand after `files`.
    case recording, text, subtitles, index

    /// What is missing of an entry, and why.
    case removed, onDevice, refused, notArrived, damagedRecording, missingRecording, damaged, damagedTimes, notTranscribed, otherLayer
}

typealias ExportIndexWords = Words<ExportIndexWord>
