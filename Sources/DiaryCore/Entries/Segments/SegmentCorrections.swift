/// What the owner has corrected in the segments of a recording, sealed as part `corrections` of the table `segment_corrections`. Only the API
/// writes it; what was heard stays as the worker wrote it.
package struct SegmentCorrections: Sendable, Equatable, Codable {
    /// By segment.
    package var texts: [Int: String] = [:]
    /// Names of speakers, by how the engine tells them apart.
    package var speakers: [String: String] = [:]

    package init(texts: [Int: String] = [:], speakers: [String: String] = [:]) {
        self.texts = texts
        self.speakers = speakers
    }

    package var isEmpty: Bool { texts.isEmpty && speakers.isEmpty }

    /// The segments with their corrections.
    package func applied(to segments: [SpeechSegment]) -> [SpeechSegment] {
        segments.map { segment in
            var segment = segment
            segment.editedText = segment.id.flatMap { texts[$0] }
            return segment
        }
    }
}
