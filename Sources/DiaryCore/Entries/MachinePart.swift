package import WireFormats

/// The text recognised in the recording. The worker writes this part, and the API the words that a client has recognised itself.
package struct MachinePart: Sendable, Equatable {
    package var raw: String?
    /// nil: the raw words are shown.
    package var clean: String?
    /// The outcome of the cleaning; nil when there was none, or when it was done by a version that did not record it.
    package var cleanup: Cleanup?
    /// The engines that made `raw` and the cleaned text; nil when a version made them that did not record it.
    package var speechEngine: EngineReference?
    package var textEngine: EngineReference?
    /// The voice in the recording compared with the words; nil when it was not measured.
    package var coverage: VoiceCoverage?
    /// Another number for each recognition of the recording, also where it has heard the same words: the content version of its segments.
    /// nil of imported words.
    package var recognition: Int64?
    /// Suggestions for the owner. Answered ones stay here; `Entry.suggestions` leaves them out.
    package var suggested = Suggestions()
    package var summary: String?
    package var keyPoints: [String] = []
    /// Fields of a later version.
    var unknown: [PartFields.Unknown] = []

    package init(
        raw: String? = nil, clean: String? = nil, cleanup: Cleanup? = nil, speechEngine: EngineReference? = nil,
        textEngine: EngineReference? = nil, coverage: VoiceCoverage? = nil, recognition: Int64? = nil
    ) {
        self.raw = raw
        self.clean = clean
        self.cleanup = cleanup
        self.speechEngine = speechEngine
        self.textEngine = textEngine
        self.coverage = coverage
        self.recognition = recognition
    }

    /// Removes what was made from an earlier cleaned text, before another one is kept.
    package mutating func removeExtras() {
        suggested = Suggestions()
        summary = nil
        keyPoints = []
    }

    /// What is said of a text, without the words of a recording; nil when there is nothing.
    package var withoutWords: MachinePart? {
        guard !suggested.isEmpty || summary != nil || !keyPoints.isEmpty else { return nil }
        var part = MachinePart(textEngine: textEngine)
        (part.suggested, part.summary, part.keyPoints) = (suggested, summary, keyPoints)
        return part
    }

    package subscript(_ text: MachineText) -> String? {
        get {
            switch text {
            case .summary: summary
            }
        }
        set {
            switch text {
            case .summary: summary = newValue
            }
        }
    }
}

/// A text that a job adds to the transcript. Declared here once: answers, manifests, imports and their comparison go by `all`. The raw value
/// is the member's name.
package enum MachineText: String, Sendable, CaseIterable {
    case summary

    package static let all = allCases

    package var member: JSONName {
        switch self {
        case .summary: "summary"
        }
    }
}

extension MachinePart: SealablePart {
    package var plainBytes: [UInt8] {
        var fields = PartFields(keeping: unknown)
        fields.add(1, raw)
        fields.add(2, clean)
        fields.add(3, cleanup.map { String($0.thousandths) })
        fields.add(4, cleanup?.reason?.rawValue)
        fields.add(5, speechEngine?.text)
        fields.add(6, textEngine?.text)
        fields.add(7, suggested.title)
        fields.add(8, summary)
        fields.add(9, keyPoints)
        fields.add(10, suggested.tags)
        fields.add(11, suggested.mood)
        fields.add(12, coverage?.text)
        fields.add(13, recognition.map { String($0) })
        return fields.bytes
    }

    package init?(plain: Span<UInt8>) {
        self.init()
        var (thousandths, reason): (Int?, String?) = (nil, nil)
        let unknown = PartFields.read(plain, known: 1...13, lists: 9...10) { tag, text in
            switch tag {
            case 1: raw = text
            case 2: clean = text
            case 3: thousandths = Int(text)
            case 4: reason = text
            case 5: speechEngine = EngineReference(text: text)
            case 6: textEngine = EngineReference(text: text)
            case 7: suggested.title = text
            case 8: summary = text
            case 9: keyPoints.append(text)
            case 10: suggested.tags.append(text)
            case 11: suggested.mood = text
            case 12: coverage = VoiceCoverage(text: text)
            case 13: recognition = Int64(text)
            default: break
            }
        }
        guard let unknown else { return nil }
        self.unknown = unknown
        cleanup = thousandths.map { Cleanup(thousandths: $0, reason: reason.map(Cleanup.Reason.init(rawValue:))) }
    }
}

extension Vault.Part {
    package static let machine = Vault.Part(name: "machine", table: "entries")
}
