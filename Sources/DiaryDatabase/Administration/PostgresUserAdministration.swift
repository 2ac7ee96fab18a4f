package import DiaryCore
package import PostgresClient

/// What `diary user` and `diary session` do, by the database role `diary_admin`, which may call functions but not touch tables with
/// personal data. Each change writes an event of the account and, because those are erased with the account, a record with the operator's
/// name to the app (`TenantAct`).
package struct PostgresUserAdministration: Sendable {
    package let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// - Parameter hash: of the address, keyed (`ServiceKeys.addressHash`).
    package func user(address hash: [UInt8], in tenant: TenantID) async throws(DiaryError) -> UserID? {
        let rows = try await run("select admin_find_user($1, $2)", [.uuid(tenant.uuid), .bytes(hash)])
        return try rows.first.flatMap { row throws(DiaryError) in
            try decoding { () throws(DatabaseError) in try row.uuidOrNil(0).map { UserID($0) } }
        }
    }

    package func overview(_ owner: Owner) async throws(DiaryError) -> UserOverview? {
        let rows = try await run(
            """
            select created_at, disabled_at, deleted_at, ways_in, sessions, last_used_at, entries, recording_bytes, exports, waiting_jobs, dead_jobs
            from admin_user($1, $2)
            """, owner.parameters)
        return try rows.first.map { row throws(DiaryError) in
            try decoding { () throws(DatabaseError) in
                UserOverview(
                    createdAt: try row.date(0), disabledAt: try row.dateOrNil(1), deletedAt: try row.dateOrNil(2),
                    signInMethods: try row.texts(3),
                    liveSessions: Int(clamping: try row.int(4)), lastUsedAt: try row.dateOrNil(5), entries: Int(clamping: try row.int(6)),
                    recordingBytes: try row.int(7), exports: Int(clamping: try row.int(8)), waitingJobs: Int(clamping: try row.int(9)),
                    deadJobs: Int(clamping: try row.int(10)))
            }
        }
    }

    /// Disabling ends every session; enabling opens none.
    /// - Returns: false when there is no such account.
    package func setDisabled(_ owner: Owner, _ disabled: Bool, by operator: String) async throws(DiaryError) -> Bool {
        let rows = try await run("select admin_set_disabled($1, $2, $3, $4)", owner.parameters + [.bool(disabled), .text(`operator`)])
        return try decoding { () throws(DatabaseError) in try rows.first?.bool(0) ?? false }
    }

    /// - Parameter session: nil is all of them.
    /// - Returns: how many ended.
    package func revokeSessions(_ owner: Owner, _ session: SessionID?, by operator: String) async throws(DiaryError) -> Int {
        let rows = try await run(
            "select admin_revoke_sessions($1, $2, $3, $4)", owner.parameters + [.uuid(session?.uuid), .text(`operator`)])
        return try decoding { () throws(DatabaseError) in Int(clamping: try rows.first?.int(0) ?? 0) }
    }

    /// The tombstone, as when a member erases their account; a worker does the rest.
    /// - Parameter operator: nil when it is part of an app's erasure, which is recorded once.
    /// - Returns: false when there is no such account, or it is being erased.
    package func requestErasure(_ owner: Owner, _ deletion: NewDeletion, by operator: String?) async throws(DiaryError) -> Bool {
        let rows = try await run(
            "select admin_request_erasure($1, $2, $3, $4, $5, $6, $7)", owner.parameters + deletion.parameters + [.text(`operator`)])
        return try decoding { () throws(DatabaseError) in try rows.first?.dateOrNil(0) != nil }
    }

    /// Accounts of an app that are not being erased, by id.
    package func users(of tenant: TenantID, after: UserID?, limit: Int) async throws(DiaryError) -> [UserID] {
        let rows = try await run(
            "select admin_users($1, $2, $3)", [.uuid(tenant.uuid), .uuid(after?.uuid), .int4(Int32(clamping: limit))])
        return try decoding { () throws(DatabaseError) in
            try rows.map { row throws(DatabaseError) in UserID(try row.uuid(0)) }
        }
    }

    /// Removes a suspended app that has no accounts any more, and records the operator.
    /// - Returns: false when accounts are left, or it is not suspended.
    package func eraseTenant(_ tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool {
        let rows = try await run("select admin_erase_tenant($1, $2)", [.uuid(tenant.uuid), .text(`operator`)])
        return try decoding { () throws(DatabaseError) in try rows.first?.bool(0) ?? false }
    }

    private func run(_ sql: String, _ parameters: [Parameter]) async throws(DiaryError) -> Rows {
        do { return try await pool.run([Statement(sql, parameters)])[0] } catch { throw error.forClient }
    }
}
