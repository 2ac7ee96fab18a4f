import DiaryCore

/// The members of an answer to suggestions: which are accepted and which are declined, as the entry showed them.
enum SuggestionFields {
    static func read(_ f: inout Fields) -> (accept: Suggestions, decline: Suggestions) {
        f.refuseOthers(than: ["accept", "decline"])
        let accept = f.nested("accept", suggestions) ?? Suggestions()
        let decline = f.nested("decline", suggestions) ?? Suggestions()
        if accept.isEmpty, decline.isEmpty, f.errors.isEmpty { f.refuse("accept", "must name a suggestion, or `decline` must") }
        return (accept, decline)
    }

    private static func suggestions(_ f: inout Fields) -> Suggestions {
        f.refuseOthers(than: ["title", "tags", "mood"])
        return Suggestions(
            title: f.filledText("title", max: EntryFields.titleLength),
            tags: f.texts("tags", maxCount: EntryFields.tagCount, maxEach: EntryFields.tagLength) ?? [],
            mood: f.filledText("mood", max: EntryFields.moodLength))
    }
}
