package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// Imports, by the database role `diary_api`.
package struct PostgresImportStore: ImportStore {
    let transaction: MemberTransaction
    let uploadTransaction: OwnerTransaction

    package func create(_ new: NewImport, by member: Member) async throws(DiaryError) -> ImportCreateOutcome {
        // Without a client's key the import's own id claims, so that both cases take the same path.
        let key = new.idempotencyHash ?? new.requestHash + new.id.uuid.octets
        let operation = KeyClaim.Operation.imported.rawValue
        let outcome: ImportCreateOutcome? = try await transaction.of(member).run([
            Statement(
                """
                with claim as (
                    insert into idempotency_keys (tenant_id, user_id, operation, key_hash, request_hash, subject)
                    select $1, $2, $11, $10, $9, $3 where $8 and account_is_open($1, $2) on conflict do nothing returning subject)
                insert into imports as i (tenant_id, user_id, id, size_bytes, sha256, object_id, key_id, upload_expires_at, request_hash)
                select $1, $2, $3, $4, $5, $6, $12, clock_timestamp() + make_interval(secs => $7), $9 from claim
                returning \(ImportColumns.list)
                """,
                member.owner.parameters + [
                    .uuid(new.id.uuid), .int(new.sizeBytes), .bytes(new.sha256), .uuid(new.object), .double(Double(new.windowSeconds)),
                    .bool(new.mayCreate), .bytes(new.requestHash), .bytes(key), .text(operation), .uuid(new.keyID),
                ]),
            Statement(
                """
                select k.request_hash, \(ImportColumns.list) from idempotency_keys k
                join imports i on i.tenant_id = k.tenant_id and i.user_id = k.user_id and i.id = k.subject
                where k.tenant_id = $1 and k.user_id = $2 and k.operation = $4 and k.key_hash = $3
                """, member.owner.parameters + [.bytes(key), .text(operation)]),
        ]) { rows in
            guard new.mayCreate || rows.first(1) != nil else { throw DiaryError(.rateLimited) }
            if var made = rows.first(0) { return .created(try Import(&made)) }
            guard var known = rows.first(1) else { return nil }
            guard try known.bytes() == new.requestHash else { return .keyReused }
            return .replayed(try Import(&known))
        }
        // The import that the key made was deleted, or the account has been closed since.
        guard let outcome else {
            _ = try await find(new.id, of: member)
            throw DiaryError(.notFound)
        }
        return outcome
    }

    package func find(_ id: ImportID, of member: Member) async throws(DiaryError) -> Import? {
        try await transaction.of(member).one(
            "select \(ImportColumns.list) from imports i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3",
            member.owner.parameters + [.uuid(id.uuid)]
        ) { try Import(&$0) }
    }

    package func imports(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> [Import] {
        try await transaction.of(member).all(
            """
            select \(ImportColumns.list) from imports i where i.tenant_id = $1 and i.user_id = $2
                and (i.created_at, i.id) < (coalesce($3, 'infinity'::timestamptz), coalesce($4, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))
            order by i.created_at desc, i.id desc limit $5
            """, member.owner.parameters + [.timestamp(position?.at), .uuid(position?.id), .int(limit)]
        ) { try Import(&$0) }
    }

    package func items(
        of id: ImportID, after number: Int64, limit: Int, _ member: Member
    ) async throws(DiaryError) -> [StoredImportItem]? {
        let named = member.owner.parameters + [.uuid(id.uuid)]
        return try await transaction.of(member).run([
            Statement("select i.id from imports i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3", named),
            Statement(
                """
                select t.number, t.outcome, t.code, t.entry_id, t.count, t.name from import_items t
                where t.tenant_id = $1 and t.user_id = $2 and t.import_id = $3 and t.number > $4
                    -- Of a version after this one there may be others.
                    and t.code = any ($6)
                order by t.number limit $5
                """, named + [.int(number), .int(limit), .texts(ImportItem.Code.allCases.map(\.rawValue))]),
        ]) { rows in
            guard rows.first(0) != nil else { return nil }
            return try rows[1].all { row in
                StoredImportItem(
                    item: ImportItem(
                        number: try row.int(), outcome: try row.known(), code: try row.known(),
                        entry: try row.uuidOrNil().map { EntryID($0) }, count: try row.count()),
                    name: try row.bytesOrNil())
            }
        }
    }

    package func complete(
        _ id: ImportID, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> ImportCompleteOutcome {
        let named = member.owner.parameters + [.uuid(id.uuid)]
        return try await transaction.of(member).run([
            // The account's lock first, then the job, as everywhere.
            Statement("select bump_change($1, $2, $3)", member.owner.parameters + [.uuid(keyID)]),
            Statement(
                """
                with uploaded as (
                    update imports i set status = 'uploaded', uploaded_at = clock_timestamp()
                    where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.status = 'awaiting_upload'
                    returning \(ImportColumns.list), i.part_upload is not null as has_parts),
                job as (\(JobInsertion.sql(id: "$4", kind: "$5", subject: "u.id", cost: "$6", from: "uploaded u")) on conflict do nothing)
                select * from uploaded
                """, named + [.uuid(job.id.uuid), .text(job.kind.rawValue), .double(job.cost)]),
            Statement("select \(ImportColumns.list) from imports i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3", named),
        ]) { rows in
            if var row = rows.first(1) { return .enqueued(try Import(&row), hasParts: try row.bool()) }
            if var row = rows.first(2) { return .already(try Import(&row)) }
            return .missing
        }
    }

    package func reopen(_ id: ImportID, windowSeconds: Int, by member: Member) async throws(DiaryError) -> Import? {
        try await transaction.of(member).one(
            """
            update imports i set upload_expires_at = clock_timestamp() + make_interval(secs => $4)
            where i.tenant_id = $1 and i.user_id = $2 and i.id = $3 and i.status = 'awaiting_upload' and i.object_id is not null
            returning \(ImportColumns.list)
            """, member.owner.parameters + [.uuid(id.uuid), .double(Double(windowSeconds))]
        ) { try Import(&$0) }
    }

    package func delete(_ id: ImportID, by member: Member) async throws(DiaryError) -> DeletedImport? {
        try await transaction.of(member).one(
            """
            delete from imports i where i.tenant_id = $1 and i.user_id = $2 and i.id = $3
            returning i.object_id, i.part_upload is not null
            """, member.owner.parameters + [.uuid(id.uuid)]
        ) { DeletedImport(object: try $0.uuidOrNil(), hasParts: try $0.bool()) }
    }
}

extension PostgresImportStore {
    package init(pool: ConnectionPool) {
        self.init(transaction: MemberTransaction(pool: pool), uploadTransaction: OwnerTransaction(pool: pool))
    }
}

/// The columns of an import, in the order that `Import(&row)` reads them.
enum ImportColumns {
    static let list = """
        i.id, i.status, i.code, i.source, i.size_bytes, i.sha256, i.object_id, i.created_at, i.upload_expires_at, i.finished_at, \
        i.entries_total, i.entries_done, i.created, i.unchanged, i.skipped, i.failed
        """
}

extension Import {
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(
            id: ImportID(try row.uuid()), status: try row.known(), code: try row.knownOrNil(), source: try row.knownOrNil(),
            sizeBytes: try row.int(), sha256: try row.bytesOrNil(), object: try row.uuidOrNil(), createdAt: try row.date(),
            uploadExpiresAt: try row.date(), finishedAt: try row.dateOrNil(), total: try row.intOrNil(), done: try row.int(),
            counts: ImportCounts(created: try row.int(), unchanged: try row.int(), skipped: try row.int(), failed: try row.int()))
    }
}
