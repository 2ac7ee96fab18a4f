package import DiaryCore
package import FoundationEssentials
import PostgresClient

/// The operations of a batch: one transaction and one round trip a call.
extension PostgresEntryStore {
    package func create(_ entries: [NewEntry], by member: Member) async throws(DiaryError) -> [CreateOutcome] {
        let statements = entries.flatMap { entry in
            [
                EntryInsert.statement(entry, of: member.owner),
                Statement(EntryInsert.knownWithoutTexts, member.owner.parameters + [.uuid(entry.id.uuid)]),
            ]
        }
        return try await creating(entries, member, statements) { rows in
            try entries.enumerated().map { index, entry in
                try Self.outcome(of: entry, made: rows.first(index * 2), known: rows.first(index * 2 + 1))
            }
        }
    }

    package func entries(_ ids: [EntryID], of member: Member) async throws(DiaryError) -> EntryPage {
        let found = Statement(Self.named, member.owner.parameters + [.uuids(ids.map(\.uuid)), .int(ids.count)])
        return try await transaction.of(member).run([found]) { try EntryPage($0[0]) }
    }

    private static let named = SQL(
        bounded("from entries e where e.tenant_id = $1 and e.user_id = $2 and e.id = any ($3) and e.deleted_at is null", limit: "$4") {
            "\($0)id"
        })

    package func rewritePersonal(
        _ rewrites: [PersonalRewrite], keyID: UUID, by member: Member
    ) async throws(DiaryError) -> [WriteOutcome] {
        let statements = rewrites.flatMap {
            [
                PersonalUpdate.statement($0, keyID: keyID, of: member.owner),
                Self.unwritten($0.id, of: member.owner),
            ]
        }
        return try await transaction.of(member).run(statements) { rows in
            try rewrites.indices.map { index -> WriteOutcome in
                if var row = rows.first(index * 2) { return .written(try StoredEntry(&row)) }
                if var row = rows.first(index * 2 + 1) { return .conflict(try StoredEntry(&row)) }
                return .missing
            }
        }
    }

    package func delete(_ ids: [EntryID], keyID: UUID, by member: Member) async throws(DiaryError) -> [BatchDeletion] {
        try await delete(ids, keyID: keyID, by: member) { EntryDeletion.statement($0, expecting: nil, of: member.owner) }
    }

    func delete(
        _ ids: [EntryID], keyID: UUID, by member: Member, _ deletion: (EntryID) -> Statement
    ) async throws(DiaryError) -> [BatchDeletion] {
        // Each has its own number of the feed.
        let statements = ids.flatMap {
            [EntryDeletion.lock(keyID, member.owner), deletion($0), Self.isDeleted($0, of: member.owner)]
        }
        return try await transaction.of(member).run(statements) { rows in
            try ids.indices.map { index -> BatchDeletion in
                if var row = rows.first(index * 3 + 1) { return .deleted(try StoredRecording(&row)) }
                return rows.first(index * 3 + 2) == nil ? .missing : .already
            }
        }
    }

    private static func isDeleted(_ id: EntryID, of owner: Owner) -> Statement {
        Statement(
            "select deleted_at is not null from entries where tenant_id = $1 and user_id = $2 and id = $3",
            owner.parameters + [.uuid(id.uuid)])
    }
}
