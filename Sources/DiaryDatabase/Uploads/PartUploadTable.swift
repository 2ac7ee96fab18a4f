import DiaryCore
import FoundationEssentials
import PostgresClient

/// Sets of parts in a table whose rows may have one each, `entries` or `imports`: its statements, and what their answers mean. `$1` and `$2` are
/// tenant and user.
struct PartUploadTable: Sendable {
    /// Of the row `$3`: whether it takes a set, its object, content type and size, its set and the length of its parts, and how many other rows
    /// of the account have one and wait.
    let selectState: SQL
    /// Gives the row `$3` the set `$4` of parts of `$5` bytes in place of `$6`, while fewer than `$7` others have one.
    let setUpload: SQL
    /// Takes the set `$4` from the row `$3`.
    let clearUpload: SQL
    /// `PartSetState` by name, of the set `$4` of the object `$3`; no row: gone.
    let selectSetState: SQL

    func state(of id: UUID, _ transaction: MemberTransaction, _ member: Member) async throws(DiaryError) -> PartUploadState? {
        try await transaction.of(member).one(Statement(selectState, member.owner.parameters + [.uuid(id)])) {
            try PartUploadState(&$0, of: member.owner)
        }
    }

    func open(
        _ opening: PartUploadOpening, of id: UUID, _ transaction: MemberTransaction, _ member: Member
    ) async throws(DiaryError) -> PartUploadState? {
        let named = member.owner.parameters + [.uuid(id)]
        let state = try await transaction.of(member).run([
            // A statement of its own, so that the next one counts what was opened during the wait.
            Statement("select 1 from user_sync where tenant_id = $1 and user_id = $2 for update", member.owner.parameters),
            Statement(
                setUpload, named + [.text(opening.id), .int(opening.partSize), .text(opening.replacing), .int(Int64(opening.most))]),
            Statement(selectState, named),
        ]) { try $0.one(2) { try PartUploadState(&$0, of: member.owner) } }
        guard let state, state.isOpen else { return nil }
        // The store has dropped that one.
        guard let replaced = opening.replacing, state.id == replaced else { return state }
        throw DiaryError(.tooManyUploads)
    }

    func close(_ upload: String, of id: UUID, _ transaction: MemberTransaction, _ member: Member) async throws(DiaryError) -> Bool {
        let rows = try await transaction.run(member, [Statement(clearUpload, member.owner.parameters + [.uuid(id), .text(upload)])])
        return (rows.last?.affected ?? 0) > 0
    }

    func state(of upload: String, at key: ObjectKey, _ transaction: OwnerTransaction) async throws(DiaryError) -> PartSetState {
        let owner = Owner(tenant: key.tenant, user: key.user)
        let statement = Statement(selectSetState, owner.parameters + [.uuid(key.object), .text(upload)])
        let state = try await transaction.forClient(owner).one(statement) { try $0.text() }
        return switch state {
        case "awaiting": .awaiting
        case "finished": .finished
        case "closed": .closed
        default: .gone
        }
    }
}

extension PartUploadState {
    fileprivate init(_ row: inout Row, of owner: Owner) throws(DatabaseError) {
        self.init(
            isOpen: try row.bool(), key: ObjectKey(kind: .staging, owner: owner, object: try row.uuid()), contentType: try row.text(),
            size: try row.int(), id: try row.textOrNil(), partSize: try row.intOrNil(), others: try row.count())
    }
}
