/// One recognised word; times in seconds from the recording's start, confidence 0 … 1.
package struct TimedWord: Sendable, Equatable, Codable {
    package var text: String
    package var start: Double
    package var end: Double
    package var confidence: Double
}
