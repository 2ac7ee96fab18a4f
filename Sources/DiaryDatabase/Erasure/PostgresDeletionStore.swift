package import DiaryCore
import FoundationEssentials
package import PostgresClient

/// Carries out deletions, by the database role `diary_worker`.
package struct PostgresDeletionStore: DeletionStore {
    let transaction: OwnerTransaction

    package func claim(
        limit: Int, besides running: Set<DeletionID>, leaseSeconds: Double
    ) async throws(WorkError) -> [LeasedDeletion] {
        try await transaction.pool.forWorker.all(
            """
            update deletions set attempt = attempt + 1, lease_until = clock_timestamp() + make_interval(secs => $2)
            where id in (
                select id from deletions where subject_sealed is not null and run_at <= clock_timestamp()
                    and (lease_until is null or lease_until < clock_timestamp()) and id <> all ($3)
                order by asked_for desc, run_at limit $1 for update skip locked)
            returning id, subject_sealed, attempt, key_destroyed_at is not null, erased_at is not null
            """, [.int(limit), .double(leaseSeconds), .uuids(running.map(\.uuid))]
        ) { row in
            LeasedDeletion(
                id: DeletionID(try row.uuid()), subjectSealed: try row.bytes(), attempt: try row.count(),
                isKeyDestroyed: try row.bool(), isErased: try row.bool())
        }
    }

    package func noteKeyDestroyed(_ deletion: LeasedDeletion, leaseSeconds: Double) async throws(WorkError) {
        try await note(
            Statement(
                """
                update deletions set key_destroyed_at = coalesce(key_destroyed_at, clock_timestamp()), keys = 1,
                    lease_until = clock_timestamp() + make_interval(secs => $3)
                where id = $1 and attempt = $2 returning id
                """, deletion.fence + [.double(leaseSeconds)]))
    }

    package func noteObjects(_ deletion: LeasedDeletion, found: Int, leaseSeconds: Double) async throws(WorkError) {
        try await note(
            Statement(
                """
                update deletions set objects = greatest(objects, $3), lease_until = clock_timestamp() + make_interval(secs => $4)
                where id = $1 and attempt = $2 returning id
                """, deletion.fence + [.int(found), .double(leaseSeconds)]))
    }

    package func eraseBatch(
        _ deletion: LeasedDeletion, of owner: Owner, most: Int, leaseSeconds: Double
    ) async throws(WorkError) -> Int {
        try await erase(
            owner,
            Statement(
                """
                with batch as (select * from erase_batch($3, $4, $5))
                update deletions set entries = entries + b.gone_entries, sessions = sessions + b.gone_sessions, mails = mails + b.gone_mails,
                    lease_until = clock_timestamp() + make_interval(secs => $6)
                from batch b where id = $1 and attempt = $2 returning b.gone
                """,
                deletion.fence + owner.parameters + [.int4(Int32(clamping: most)), .double(leaseSeconds)]))
    }

    package func eraseMember(_ deletion: LeasedDeletion, of owner: Owner) async throws(WorkError) -> Int {
        try await erase(
            owner,
            Statement(
                """
                with gone as (select * from erase_member($3, $4))
                update deletions set erased_at = coalesce(erased_at, clock_timestamp()), exports = exports + gone.gone_exports,
                    mails = mails + gone.gone_mails, sessions = sessions + gone.gone_sessions
                from gone where id = $1 and attempt = $2 returning sessions
                """, deletion.fence + owner.parameters))
    }

    package func finishPass(_ deletion: LeasedDeletion, lateObjects: Int) async throws(WorkError) {
        // At doubling intervals (as long again as the time since the erasure), and once after the last upload URL has expired.
        try await note(
            Statement(
                """
                update deletions set objects = objects + $3, lease_until = null,
                    swept_at = case when sweep_until <= clock_timestamp() then clock_timestamp() end,
                    subject_sealed = case when sweep_until <= clock_timestamp() then null else subject_sealed end,
                    run_at = least(clock_timestamp() + greatest(interval '5 seconds', clock_timestamp() - erased_at),
                        greatest(sweep_until, clock_timestamp()) + interval '1 second')
                where id = $1 and attempt = $2 returning id
                """, deletion.fence + [.int(lateObjects)]))
    }

    package func postpone(_ deletion: LeasedDeletion, seconds: Double) async throws(WorkError) {
        try await note(
            Statement(
                """
                update deletions set lease_until = null, run_at = clock_timestamp() + make_interval(secs => $3)
                where id = $1 and attempt = $2 returning id
                """, deletion.fence + [.double(seconds)]))
    }

    private func note(_ statement: Statement) async throws(WorkError) {
        guard try await transaction.pool.forWorker.run([statement]).first(0) != nil else { throw .leaseLost }
    }

    /// In a transaction opened for the account, because the deleting functions refuse any other.
    /// - Returns: the number that the statement answers.
    private func erase(_ owner: Owner, _ statement: Statement) async throws(WorkError) -> Int {
        let count = try await transaction.forWorker(owner).one(statement) { try $0.count() }
        guard let count else { throw .leaseLost }
        return count
    }
}

extension LeasedDeletion {
    /// `$1` and `$2` of a fenced statement.
    var fence: [Parameter] { [.uuid(id.uuid), .int4(Int32(clamping: attempt))] }
}

extension PostgresDeletionStore {
    package init(pool: ConnectionPool) { self.init(transaction: OwnerTransaction(pool: pool)) }
}
