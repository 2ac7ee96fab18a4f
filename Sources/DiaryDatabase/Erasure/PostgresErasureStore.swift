package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// A member's request to erase their account, by the database role `diary_api`.
package struct PostgresErasureStore: ErasureStore {
    let transaction: MemberTransaction

    package func passwordHash(of member: Member) async throws(DiaryError) -> String? {
        try await transaction.of(member).one(
            """
            select password_phc from identities where tenant_id = $1 and user_id = $2 and issuer = 'email' and verified_at is not null
            """, member.owner.parameters
        ) { try $0.textOrNil() } ?? nil
    }

    package func request(
        _ deletion: NewDeletion, proved: Bool, by member: Member, origin: RequestOrigin
    ) async throws(DiaryError) -> Date? {
        try await transaction.of(member).one(
            "select request_erasure($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            member.owner.parameters + [.uuid(member.session.uuid), .bool(proved)] + deletion.parameters + [.text(origin.requestID)]
        ) { try $0.dateOrNil() } ?? nil
    }

    package func deletion(receiptHash: [UInt8]) async throws(DiaryError) -> Deletion? {
        // Without a member's transaction: the row has no owner.
        try await transaction.pool.forClient.one(
            """
            select requested_at, key_destroyed_at, erased_at, swept_at, entries, objects, exports, mails, sessions, keys
            from deletions where receipt_hash = $1
            """, [.bytes(receiptHash)]
        ) { try Deletion(&$0) }
    }
}

extension PostgresErasureStore {
    package init(pool: ConnectionPool) { self.init(transaction: MemberTransaction(pool: pool)) }
}

extension Deletion {
    fileprivate init(_ row: inout Row) throws(DatabaseError) {
        self.init(requestedAt: try row.date())
        (keyDestroyedAt, erasedAt, sweptAt) = (try row.dateOrNil(), try row.dateOrNil(), try row.dateOrNil())
        (counts.entries, counts.objects, counts.exports) = (try row.int(), try row.int(), try row.int())
        (counts.mails, counts.sessions, counts.keys) = (try row.int(), try row.int(), try row.int())
    }
}

extension NewDeletion {
    /// Arguments of every function that marks an account as deleted: deletion, receipt, sealed, upload_seconds.
    var parameters: [Parameter] {
        [.uuid(id.uuid), .bytes(receiptHash), .bytes(subjectSealed), .double(Double(uploadSeconds))]
    }
}
