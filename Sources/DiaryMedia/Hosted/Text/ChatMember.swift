import DiaryCore

/// A member of the JSON object that a language model is asked for.
enum ChatMember: String, Sendable, CaseIterable {
    case clean = "clean_text"
    case title, summary
    case keyPoints = "key_points"
    case tags, mood

    var isList: Bool { self == .keyPoints || self == .tags }

    var about: String {
        switch self {
        case .clean: "the cleaned transcript, whole, with the paragraphs that it needs; plain text without markup."
        case .title:
            "a title of at most eight words, all of them from the transcript, with capital letters as in a sentence; \"\" if nothing fits."
        case .summary: "a summary of one to four sentences in the transcript’s own words; no name and no number that it does not have."
        case .keyPoints: "up to seven key points, each a short sentence in the transcript’s own words; [] if there are none."
        case .tags: "up to five tags, each a word or two in lower case; [] if none fits."
        case .mood: "one word for the speaker’s mood; \"\" if the transcript does not show it."
        }
    }

    static func members(of extras: Set<TextRequest.Extra>) -> [ChatMember] {
        allCases.filter { member in
            switch member {
            case .clean: false
            case .title: extras.contains(.title)
            case .summary: extras.contains(.summary)
            case .keyPoints: extras.contains(.keyPoints)
            case .tags, .mood: extras.contains(.suggestions)
            }
        }
    }
}
