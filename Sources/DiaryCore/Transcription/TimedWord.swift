/// One recognised word; times in seconds from the recording's start, confidence 0 … 1.
package struct TimedWord: Sendable, Equatable, Codable {
    package var text: String
    package var start: Double
    package var end: Double
    package var confidence: Double

    package init(text: String, start: Double, end: Double, confidence: Double) {
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
    }
}
