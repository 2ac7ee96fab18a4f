/// What the owner wrote. Only the API writes this part (decision D15).
package struct PersonalPart: Sendable, Equatable {
    /// The most tags of an entry.
    package static let tagCount = 20
    /// Lengths in code points, of what a person writes.
    package static let titleLength = 200
    package static let tagLength = 50
    package static let moodLength = 50
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
}

extension PersonalPart: SealablePart {
    package var plainBytes: [UInt8] {
        var fields = PartFields(keeping: unknown)
        fields.add(1, title)
        fields.add(2, edited)
        fields.add(3, mood)
        fields.add(4, tags)
        fields.add(5, answered.map(\.text))
        fields.add(6, accepted.map(\.text))
        return fields.bytes
    }

    package init?(plain: Span<UInt8>) {
        self.init()
        let unknown = PartFields.read(plain, known: 1...6, lists: 4...6) { tag, text in
            switch tag {
            case 1: title = text
            case 2: edited = text
            case 3: mood = text
            case 4: tags.append(text)
            case 5: answered.append(AnsweredSuggestion(text: text))
            case 6: accepted.append(AnsweredSuggestion(text: text))
            default: break
            }
        }
        guard let unknown else { return nil }
        self.unknown = unknown
    }
}

extension Vault.Part {
    package static let personal = Vault.Part(name: "personal", table: "entries")
}
