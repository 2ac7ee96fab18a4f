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
        try await pool.forClient.one("select admin_find_user($1, $2)", [.uuid(tenant.uuid), .bytes(hash)]) { row in
            try row.uuidOrNil().map { UserID($0) }
        } ?? nil
    }

    package func overview(_ owner: Owner) async throws(DiaryError) -> UserOverview? {
        try await pool.forClient.one(
            """
            select created_at, disabled_at, deleted_at, ways_in, sessions, last_used_at, entries, recording_bytes, exports, waiting_jobs, dead_jobs
            from admin_user($1, $2)
            """, owner.parameters
        ) { row in
            UserOverview(
                createdAt: try row.date(), disabledAt: try row.dateOrNil(), deletedAt: try row.dateOrNil(),
                signInMethods: try row.texts(), liveSessions: try row.count(), lastUsedAt: try row.dateOrNil(),
                entries: try row.count(), recordingBytes: try row.int(), exports: try row.count(), waitingJobs: try row.count(),
                deadJobs: try row.count())
        }
    }

    /// Disabling ends every session; enabling opens none.
    /// - Returns: false when there is no such account.
    package func setDisabled(_ owner: Owner, _ disabled: Bool, by operator: String) async throws(DiaryError) -> Bool {
        try await pool.forClient.one(
            "select admin_set_disabled($1, $2, $3, $4)", owner.parameters + [.bool(disabled), .text(`operator`)]
        ) { try $0.bool() } ?? false
    }

    /// - Parameter session: nil is all of them.
    /// - Returns: how many ended.
    package func revokeSessions(_ owner: Owner, _ session: SessionID?, by operator: String) async throws(DiaryError) -> Int {
        try await pool.forClient.one(
            "select admin_revoke_sessions($1, $2, $3, $4)", owner.parameters + [.uuid(session?.uuid), .text(`operator`)]
        ) { try $0.count() } ?? 0
    }

    /// The tombstone, as when a member erases their account; a worker does the rest.
    /// - Parameter operator: nil when it is part of an app's erasure, which is recorded once.
    /// - Returns: false when there is no such account, or it is being erased.
    package func requestErasure(_ owner: Owner, _ deletion: NewDeletion, by operator: String?) async throws(DiaryError) -> Bool {
        try await pool.forClient.one(
            "select admin_request_erasure($1, $2, $3, $4, $5, $6, $7)", owner.parameters + deletion.parameters + [.text(`operator`)]
        ) { try $0.dateOrNil() != nil } ?? false
    }

    /// Accounts of an app that are not being erased, by id.
    package func users(of tenant: TenantID, after: UserID?, limit: Int) async throws(DiaryError) -> [UserID] {
        try await pool.forClient.all(
            "select admin_users($1, $2, $3)", [.uuid(tenant.uuid), .uuid(after?.uuid), .int4(Int32(clamping: limit))]
        ) { UserID(try $0.uuid()) }
    }

    /// Removes a suspended app that has no accounts any more, and records the operator.
    /// - Returns: false when accounts are left, or it is not suspended.
    package func eraseTenant(_ tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool {
        try await pool.forClient.one(
            "select admin_erase_tenant($1, $2)", [.uuid(tenant.uuid), .text(`operator`)]
        ) { try $0.bool() } ?? false
    }
}
