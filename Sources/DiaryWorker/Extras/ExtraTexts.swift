import DiaryCore

/// What is kept of an engine's answer besides the cleaned text.
struct ExtraTexts: Equatable {
    var suggestions = Suggestions()
    var summary: String?
    var keyPoints: [String] = []
}
