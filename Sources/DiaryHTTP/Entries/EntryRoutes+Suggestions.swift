import DiaryCore

extension EntryRoutes {
    func answerSuggestions(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let condition = try context.ifMatch() ?? .any
        var f = try await context.fields()
        let (accept, decline) = SuggestionFields.read(&f)
        try f.finish()
        let matching = try await EntryPrecondition.match(condition, id, entries, context)
        switch try await entries.answerSuggestions.run(id, accept: accept, decline: decline, matching: matching, by: context.member) {
        case .written(let entry): return Self.entry(entry)
        case .conflict(let current): return EntryPrecondition.conflict(current, context)
        }
    }
}

/// The members of an answer to suggestions: which are accepted and which are declined, as the entry showed them.
enum SuggestionFields {
    static func read(_ f: inout Fields) -> (accept: Suggestions, decline: Suggestions) {
        let accept = f.nested("accept", suggestions) ?? Suggestions()
        let decline = f.nested("decline", suggestions) ?? Suggestions()
        f.refuseOthers()
        if accept.isEmpty, decline.isEmpty, f.errors.isEmpty { f.refuse("accept", "must name a suggestion, or `decline` must") }
        return (accept, decline)
    }

    private static func suggestions(_ f: inout Fields) -> Suggestions {
        Suggestions(
            title: f.filledText("title", max: PersonalText.title.length), tags: f.tags() ?? [],
            mood: f.filledText("mood", max: PersonalText.mood.length))
    }
}
