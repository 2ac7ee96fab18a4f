package import WireFormats

/// What the owner wrote. Only the API writes this part (decision D15).
package struct PersonalPart: Sendable, Equatable {
    /// The most tags of an entry.
    package static let tagCount = 20
    /// Unicode code points.
    package static let tagLength = 50
    package var title: String?
    /// The text a person typed or corrected; machine text never overwrites it.
    package var edited: String?
    package var tags: [String]
    package var mood: String?
    package var metadata = EntryMetadata()
    /// The oldest first; at most `AnsweredSuggestion.most`.
    package var answered: [AnsweredSuggestion] = []
    /// The elements of `answered` that were accepted at the last answer. Versions that did not record acceptance left none.
    package var accepted: [AnsweredSuggestion] = []
    /// In the order in which they were added; at most `EntryNote.most`.
    package var notes: [EntryNote] = []
    /// Ids of notes that were deleted, the latest last: adding one again, as a lost answer makes a client do, does not bring it back.
    package var deletedNotes: [NoteID] = []
    /// nil: what the machine wrote is not corrected.
    package var corrected: CorrectedText?
    /// Fields of a later version.
    var unknown: [PartFields.Unknown] = []

    package init(title: String? = nil, edited: String? = nil, tags: [String] = [], mood: String? = nil) {
        self.title = title
        self.edited = edited
        self.tags = tags
        self.mood = mood
    }

    package subscript(_ text: PersonalText) -> String? {
        get { self[text.field] }
        set { self[text.field] = newValue }
    }

    /// A switch, because a key path in `PersonalText` would cost a list of entries a tenth of its time.
    fileprivate subscript(_ field: PersonalText.Field) -> String? {
        get {
            switch field {
            case .title: title
            case .text: edited
            case .mood: mood
            }
        }
        set {
            switch field {
            case .title: title = newValue
            case .text: edited = newValue
            case .mood: mood = newValue
            }
        }
    }
}

/// A text that an entry's owner writes. Declared here once: requests and their hashes, answers, the sealed part, limits, manifests, imports
/// and the pages of exports go by `all`.
package struct PersonalText: Sendable {
    /// The member of requests. `remarks` have it in answers and manifests, too.
    package let name: String
    /// Unicode code points. The limit of JSON bodies may end a text earlier.
    package let length: Int
    /// Its tag in the sealed part.
    enum Field: UInt8 {
        case title = 1
        case text = 2
        case mood = 3
    }

    let field: Field
    private let literal: StaticString

    package static let title = PersonalText("title", .title, length: 200)
    package static let text = PersonalText("text", .text, length: 200_000)
    package static let mood = PersonalText("mood", .mood, length: 50)

    /// A new one is added at the end, with a tag that was never used.
    package static let all = [title, text, mood]
    /// Short remarks, which answers, manifests and pages show beside title and words.
    package static let remarks = Array(all.dropFirst(2))

    private init(_ name: StaticString, _ field: Field, length: Int) {
        self.name = name.description
        self.length = length
        self.field = field
        literal = name
    }

    package var member: JSONName { JSONName(stringLiteral: literal) }
}

extension PersonalPart: SealablePart {
    /// Tags of `tags`, `answered`, `accepted`, `metadata`, `notes` and `deletedNotes`, which come once for each element.
    private static let lists: ClosedRange<UInt8> = 4...9
    private static let correctedTag: UInt8 = 10
    private static let known: ClosedRange<UInt8> = 1...max(correctedTag, PersonalText.all.map(\.field.rawValue).max() ?? 0)

    package var plainBytes: [UInt8] {
        var fields = PartFields(keeping: unknown)
        for text in PersonalText.all where text.field.rawValue < Self.lists.lowerBound { fields.add(text.field.rawValue, self[text]) }
        fields.add(4, tags)
        fields.add(5, answered.map(\.text))
        fields.add(6, accepted.map(\.text))
        fields.add(7, metadata.pairs.map(\.text))
        fields.add(8, notes.map(\.stored))
        fields.add(9, deletedNotes.map(\.description))
        fields.add(Self.correctedTag, corrected?.stored)
        for text in PersonalText.all where text.field.rawValue > Self.lists.upperBound { fields.add(text.field.rawValue, self[text]) }
        return fields.bytes
    }

    package init?(plain: Span<UInt8>) {
        self.init()
        let unknown = PartFields.read(plain, known: Self.known, lists: Self.lists) { tag, text in
            switch tag {
            case 4: tags.append(text)
            case 5: answered.append(AnsweredSuggestion(text: text))
            case 6: accepted.append(AnsweredSuggestion(text: text))
            case 7: metadata.add(stored: text)
            case 8: if let note = EntryNote(stored: text) { notes.append(note) }
            case 9: if let id = NoteID(text) { deletedNotes.append(id) }
            case Self.correctedTag: corrected = CorrectedText(stored: text)
            default: if let field = PersonalText.Field(rawValue: tag) { self[field] = text }
            }
        }
        guard let unknown else { return nil }
        self.unknown = unknown
    }
}

extension Vault.Part {
    package static let personal = Vault.Part(name: "personal", table: "entries")
}
