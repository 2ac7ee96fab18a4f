/// A stretch of speech between pauses.
package struct SpeechSegment: Sendable, Equatable, Codable {
    package var start: Double
    package var end: Double
    package var words: [TimedWord]

    package init(start: Double, end: Double, words: [TimedWord]) {
        self.start = start
        self.end = end
        self.words = words
    }

    package var text: String { words.map(\.text).joined(separator: " ") }
}
