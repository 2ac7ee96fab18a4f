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
