import DiaryCore

/// What `index.html` says beside the diary, in one language. `#` stands for what a text is about, or for a number; `##` for a second number.
struct ExportIndexWords: Sendable {
    var language: WrittenLanguage

    /// `#`: the days.
    var title: String
    var skip: String
    var months: String
    var empty: String
    var entries: PluralText
    var recordings: PluralText
    var part: String
    var partOf: String
    /// `#`: day and time.
    var exported: String

    var search: String
    var foundNone: String
    /// The script puts in the number.
    var found: PluralText

    /// `#`: day and time. What a screen reader says of the player.
    var recordingOf: String
    var favorite: String
    /// Before the owner's words, in the order of `PersonalText.notes`.
    var notes: [String]
    var summary: String
    var transcript: String
    var tags: String
    /// Before the names of files.
    var files: String
    /// Of files, as they stand after `files`.
    var recording: String
    var text: String
    var subtitles: String
    var index: String

    var gaps: Gaps

    /// What is missing of an entry, and why.
    struct Gaps: Sendable {
        var removed: String
        var refused: String
        var notArrived: String
        var damagedRecording: String
        var missingRecording: String
        var damaged: String
        var damagedTimes: String
        var notTranscribed: String
        var otherLayer: String
    }

    static func of(_ language: WrittenLanguage) -> ExportIndexWords {
        switch language {
        case .en: english
        case .de: german
        case .es: spanish
        case .fr: french
        }
    }
}
