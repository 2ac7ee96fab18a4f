/// What the owner has corrected in the segments of a recording, sealed as part `corrections` of the table `segment_corrections`. Only the API
/// writes it; what was heard stays as the worker wrote it.
package struct SegmentCorrections: Sendable, Equatable, Codable {
    /// Corrected texts, by segment.
    package var texts: [Int: String] = [:]
    /// Names of speakers, by label.
    package var speakers: [String: String] = [:]
    /// Labels of speakers, by segment.
    package var segmentSpeakers: [Int: String] = [:]

    /// Speakers of one recording, heard and added.
    package static let mostSpeakers = 100
    /// Code points of the corrected texts of a recording together: many times what is spoken in three hours. All are read and written with each
    /// correction.
    package static let longest = 1_000_000

    package init(texts: [Int: String] = [:], speakers: [String: String] = [:], segmentSpeakers: [Int: String] = [:]) {
        self.texts = texts
        self.speakers = speakers
        self.segmentSpeakers = segmentSpeakers
    }

    /// Code points of the corrected texts.
    package var length: Int { texts.values.reduce(0) { $0 + $1.unicodeScalars.count } }

    package var isEmpty: Bool { texts.isEmpty && speakers.isEmpty && segmentSpeakers.isEmpty }

    /// The segments with their corrections.
    package func applied(to segments: [SpeechSegment]) -> [SpeechSegment] {
        segments.map { segment in
            var segment = segment
            segment.editedText = segment.id.flatMap { texts[$0] }
            segment.editedSpeaker = segment.id.flatMap { segmentSpeakers[$0] }
            return segment
        }
    }
}
