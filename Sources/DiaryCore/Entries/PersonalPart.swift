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
    /// The oldest first; at most `AnsweredSuggestion.most`.
    package var answered: [AnsweredSuggestion] = []
    /// The elements of `answered` that were accepted at the last answer. Versions that did not record acceptance left none.
    package var accepted: [AnsweredSuggestion] = []
    /// Fields of a later version.
    var unknown: [PartFields.Unknown] = []

    package init(title: String? = nil, edited: String? = nil, tags: [String] = [], mood: String? = nil) {
        self.title = title
        self.edited = edited
        self.tags = tags
        self.mood = mood
    }

    package subscript(_ text: PersonalText) -> String? {
        get { self[keyPath: text.value] }
        set { self[keyPath: text.value] = newValue }
    }
}

/// A text that an entry's owner writes. Declared here once: requests and their hashes, answers, the sealed part, limits, manifests, imports
/// and the pages of exports go by `all`.
package struct PersonalText: Sendable {
    /// The member of requests. `notes` have it in answers and manifests, too.
    package let name: String
    /// Unicode code points. The limit of JSON bodies may end a text earlier.
    package let length: Int
    /// Of the field in the sealed part.
    let tag: UInt8
    let value: any WritableKeyPath<PersonalPart, String?> & Sendable
    private let literal: StaticString

    package static let title = PersonalText("title", tag: 1, length: 200, \PersonalPart.title)
    package static let text = PersonalText("text", tag: 2, length: 200_000, \PersonalPart.edited)
    package static let mood = PersonalText("mood", tag: 3, length: 50, \PersonalPart.mood)

    /// A new one is added at the end, with a tag that was never used.
    package static let all = [title, text, mood]
    /// Short remarks, which answers, manifests and pages show beside title and words.
    package static let notes = Array(all.dropFirst(2))

    private init(_ name: StaticString, tag: UInt8, length: Int, _ value: any WritableKeyPath<PersonalPart, String?> & Sendable) {
        self.name = name.description
        self.length = length
        self.tag = tag
        self.value = value
        literal = name
    }

    package var member: JSONName { JSONName(stringLiteral: literal) }
}

extension PersonalPart: SealablePart {
    /// Tags of `tags`, `answered` and `accepted`, which come once for each element.
    private static let lists: ClosedRange<UInt8> = 4...6
    private static let known: ClosedRange<UInt8> = 1...max(lists.upperBound, PersonalText.all.map(\.tag).max() ?? 0)

    package var plainBytes: [UInt8] {
        var fields = PartFields(keeping: unknown)
        for text in PersonalText.all where text.tag < Self.lists.lowerBound { fields.add(text.tag, self[text]) }
        fields.add(4, tags)
        fields.add(5, answered.map(\.text))
        fields.add(6, accepted.map(\.text))
        for text in PersonalText.all where text.tag > Self.lists.upperBound { fields.add(text.tag, self[text]) }
        return fields.bytes
    }

    package init?(plain: Span<UInt8>) {
        self.init()
        let unknown = PartFields.read(plain, known: Self.known, lists: Self.lists) { tag, text in
            switch tag {
            case 4: tags.append(text)
            case 5: answered.append(AnsweredSuggestion(text: text))
            case 6: accepted.append(AnsweredSuggestion(text: text))
            default: for field in PersonalText.all where field.tag == tag { self[field] = text }
            }
        }
        guard let unknown else { return nil }
        self.unknown = unknown
    }
}

extension Vault.Part {
    package static let personal = Vault.Part(name: "personal", table: "entries")
}
