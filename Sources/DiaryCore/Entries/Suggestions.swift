/// What a machine suggests for an entry, and what its owner accepts or declines of it. Never written over what the owner has set.
package struct Suggestions: Sendable, Equatable {
    package var title: String? = nil
    package var tags: [String] = []
    package var mood: String? = nil

    package init(title: String? = nil, tags: [String] = [], mood: String? = nil) {
        self.title = title
        self.tags = tags
        self.mood = mood
    }

    package var isEmpty: Bool { title == nil && tags.isEmpty && mood == nil }
}

extension Entry {
    /// Suggestions that the owner has not answered and does not have already.
    package var suggestions: Suggestions {
        let suggested = machine.suggested
        guard !suggested.isEmpty else { return suggested }
        let mine = Set(
            personal.answered + personal.tags.map { AnsweredSuggestion(.tag, $0) }
                + (personal.title.map { [AnsweredSuggestion(.title, $0)] } ?? [])
                + (personal.mood.map { [AnsweredSuggestion(.mood, $0)] } ?? []))
        func isOpen(_ kind: AnsweredSuggestion.Kind, _ text: String) -> Bool { !mine.contains(AnsweredSuggestion(kind, text)) }
        return Suggestions(
            title: suggested.title.flatMap { isOpen(.title, $0) ? $0 : nil }, tags: suggested.tags.filter { isOpen(.tag, $0) },
            mood: suggested.mood.flatMap { isOpen(.mood, $0) ? $0 : nil })
    }
}

/// A suggestion that the owner has accepted or declined. It is not shown again, also when another run suggests it again.
package struct AnsweredSuggestion: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable { case title, tag, mood }

    /// Kept of an entry; a run suggests about a dozen.
    package static let most = 60

    /// As stored: the kind, a colon, and the text as labels are compared.
    package let text: String

    package init(text: String) { self.text = text }

    package init(_ kind: Kind, _ text: String) { self.text = "\(kind.rawValue):\(EntryLabel.normalised(text))" }
}
