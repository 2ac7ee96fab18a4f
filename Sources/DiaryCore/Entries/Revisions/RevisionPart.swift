import FoundationEssentials

/// An earlier text, sealed as part `raw`, `clean` … of the table `entry_revisions` (docs/sealed-format.md).
package struct RevisionPart: Sendable, Equatable {
    package var text: String
    /// Which engine made it; nil for a text of the owner, and when a version made it that did not say.
    package var engine: EngineReference?
    /// The segments that the owner had corrected, in the layer `corrected`.
    package var corrections: [Correction]
    /// Fields of a later version.
    var unknown: [PartFields.Unknown] = []

    package struct Correction: Sendable, Equatable, Codable {
        package var segment: Int
        /// Seconds from the recording's start.
        package var start: Double
        package var end: Double
        /// The corrected text; where only the speaker was corrected, the text as it was heard.
        package var text: String
        /// The label of another speaker; nil when that was not corrected.
        package var speaker: String? = nil

        package init(segment: Int, start: Double, end: Double, text: String, speaker: String? = nil) {
            self.segment = segment
            self.start = start
            self.end = end
            self.text = text
            self.speaker = speaker
        }
    }

    package init(text: String, engine: EngineReference? = nil, corrections: [Correction] = []) {
        self.text = text
        self.engine = engine
        self.corrections = corrections
    }
}

extension RevisionPart: SealablePart {
    package var plainBytes: [UInt8] {
        var fields = PartFields(keeping: unknown)
        fields.add(1, text)
        fields.add(2, engine?.text)
        fields.add(3, corrections.isEmpty ? nil : (try? JSONEncoder().encode(corrections)).map { String(decoding: $0, as: UTF8.self) })
        return fields.bytes
    }

    package init?(plain: Span<UInt8>) {
        self.init(text: "")
        let unknown = PartFields.read(plain, known: 1...3) { tag, text in
            switch tag {
            case 1: self.text = text
            case 2: engine = EngineReference(text: text)
            case 3: corrections = (try? JSONDecoder().decode([Correction].self, from: Data(text.utf8))) ?? []
            default: break
            }
        }
        guard let unknown else { return nil }
        self.unknown = unknown
    }
}
