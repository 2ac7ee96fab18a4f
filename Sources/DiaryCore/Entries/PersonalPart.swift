/// What the owner wrote. Only the API writes this part (decision D15).
package struct PersonalPart: Sendable, Equatable {
    package var title: String?
    /// The text a person typed or corrected; machine text never overwrites it.
    package var edited: String?
    package var tags: [String]
    package var mood: String?

    package init(title: String? = nil, edited: String? = nil, tags: [String] = [], mood: String? = nil) {
        self.title = title
        self.edited = edited
        self.tags = tags
        self.mood = mood
    }
}

extension PersonalPart: SealablePart {
    package var plainBytes: [UInt8] {
        var fields = PartFields()
        fields.add(1, title)
        fields.add(2, edited)
        fields.add(3, mood)
        for tag in tags { fields.add(4, tag) }
        return fields.bytes
    }

    package init?(plain: Span<UInt8>) {
        self.init()
        let isWhole = PartFields.read(plain) { tag, text in
            switch tag {
            case 1: title = text
            case 2: edited = text
            case 3: mood = text
            case 4: tags.append(text)
            default: break
            }
        }
        if !isWhole { return nil }
    }
}
