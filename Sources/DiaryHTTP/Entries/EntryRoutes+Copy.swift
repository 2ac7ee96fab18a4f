import DiaryCore
import HTTPTypes

extension EntryRoutes {
    func copy(_ context: MemberContext) async throws -> Reply {
        let id: EntryID = try context.id()
        let (entry, replayed) = try await entries.copy.run(id, key: try context.requestKey(), by: context.member)
        return Self.entry(entry, .created).with(.location, prefix.path("/v1/entries/\(entry.facts.id)")).replayed(replayed)
    }
}
