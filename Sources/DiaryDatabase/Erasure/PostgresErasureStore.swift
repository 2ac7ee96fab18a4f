package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// A member's request to erase their account, by the database role `diary_api`.
package struct PostgresErasureStore: ErasureStore {
    let transaction: MemberTransaction

    package func passwordHash(of member: Member) async throws(DiaryError) -> String? {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    """
                    select password_phc from identities where tenant_id = $1 and user_id = $2 and issuer = 'email' and verified_at is not null
                    """, member.owner.parameters)
            ])
        return try decoding { () throws(DatabaseError) in try rows.first(0)?.textOrNil(0) }
    }

    package func request(
        _ deletion: NewDeletion, proved: Bool, by member: Member, origin: RequestOrigin
    ) async throws(DiaryError) -> Date? {
        let rows = try await transaction.run(
            member,
            [
                Statement(
                    "select request_erasure($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                    member.owner.parameters + [.uuid(member.session.uuid), .bool(proved)] + deletion.parameters
                        + [.text(origin.requestID)])
            ])
        return try decoding { () throws(DatabaseError) in try rows.first(0)?.dateOrNil(0) }
    }

    package func deletion(receiptHash: [UInt8]) async throws(DiaryError) -> Deletion? {
        do {
            // Without a member's transaction: the row has no owner.
            let rows = try await transaction.pool.run([
                Statement(
                    """
                    select requested_at, key_destroyed_at, erased_at, swept_at, entries, objects, exports, mails, sessions, keys
                    from deletions where receipt_hash = $1
                    """, [.bytes(receiptHash)])
            ])
            return try rows.first(0).map { row throws(DatabaseError) in try Deletion(row) }
        } catch {
            throw error.forClient
        }
    }
}

extension PostgresErasureStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}

extension Deletion {
    fileprivate init(_ row: Row) throws(DatabaseError) {
        self.init(requestedAt: try row.date(0))
        keyDestroyedAt = try row.dateOrNil(1)
        erasedAt = try row.dateOrNil(2)
        sweptAt = try row.dateOrNil(3)
        counts.entries = try row.int(4)
        counts.objects = try row.int(5)
        counts.exports = try row.int(6)
        counts.mails = try row.int(7)
        counts.sessions = try row.int(8)
        counts.keys = try row.int(9)
    }
}

extension NewDeletion {
    /// Arguments of every function that marks an account as deleted: deletion, receipt, sealed, upload_seconds.
    var parameters: [Parameter] {
        [.uuid(id.uuid), .bytes(receiptHash), .bytes(subjectSealed), .double(Double(uploadSeconds))]
    }
}
