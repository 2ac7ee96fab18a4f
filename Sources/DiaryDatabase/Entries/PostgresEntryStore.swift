package import DiaryCore
package import FoundationEssentials
package import PostgresClient

/// Entries, by the database role `diary_api`.
package struct PostgresEntryStore: EntryStore {
    let transaction: MemberTransaction
    let uploadTransaction: OwnerTransaction

    static let live = """
        select \(EntryColumns.list) from entries e
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
        """
    /// With its place in the queue: `$4` and `$5` are the stages and their queues, `$6` the seconds after which a worker counts as gone.
    static let one = SQL(
        """
        select \(EntryColumns.list), q.place, q.wait_seconds, q.percent from entries e
        left join lateral queue_place(
            case when e.status in ('uploaded', 'transcribing', 'cleaning') then e.id end,
            e.stage, ($5::text[])[array_position($4::text[], e.stage)], $6) q on true
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
        """)

    static func one(_ id: EntryID, of owner: Owner) -> Statement {
        Statement(one, owner.parameters + [.uuid(id.uuid)] + queues)
    }

    private static let queues: [Parameter] = [
        .texts(JobCatalogue.diary.stages.map(\.rawValue)),
        .texts(JobCatalogue.diary.stages.compactMap { JobCatalogue.diary[$0]?.queue.rawValue }),
        .double(WorkerIdentity.aliveSeconds),
    ]

    package func entry(_ id: EntryID, of member: Member) async throws(DiaryError) -> StoredEntry? {
        try await transaction.of(member).one(Self.one(id, of: member.owner)) { try StoredEntry(&$0, withPlace: true) }
    }

    package func create(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> CreateOutcome {
        let creation = entry.mayCreate ? EntryInsert.statement(entry, of: member.owner) : .nothing
        let statements: [Statement]
        if let idempotency = entry.idempotencyHash {
            // A second request with the same key waits here for the first one's commit, then claims nothing and reads the first's entry.
            statements = [
                creation,
                Statement(EntryInsert.claimed, member.owner.parameters + [.bytes(idempotency)]),
            ]
        } else {
            statements = [
                creation,
                Statement(EntryInsert.known, member.owner.parameters + [.uuid(entry.id.uuid)]),
            ]
        }
        return try await creating([entry], member, statements) { rows in
            guard entry.mayCreate || rows.first(1) != nil else { throw DiaryError(.rateLimited) }
            return try Self.outcome(of: entry, made: rows.first(0), known: rows.first(1))
        }
    }

    /// Names the entry that a refused recording repeats, or what the account stores, in a second round trip. Of several entries it is not known
    /// which one was refused.
    func creating<Value>(
        _ entries: [NewEntry], _ member: Member, _ statements: [Statement], _ read: ([Rows]) throws -> Value
    ) async throws(DiaryError) -> Value {
        do { return try await transaction.of(member).run(statements, read) } catch {
            guard entries.count == 1, let entry = entries.first else { throw error }
            guard error.code == .duplicateRecording, let digest = entry.uniqueDigest else {
                throw try await withStorage(error, most: entry.storageLimit, member)
            }
            throw try await duplicate(of: digest, error, member)
        }
    }

    /// The refusal of a recording that the account has, with the entry that has it.
    func duplicate(of digest: [UInt8], _ error: DiaryError, _ member: Member) async throws(DiaryError) -> DiaryError {
        let repeated = Statement(EntryInsert.duplicate, member.owner.parameters + [.bytes(digest)])
        let other = try await transaction.of(member).one(repeated) { try $0.uuid() }
        // It was deleted between the two round trips.
        guard let other else { throw DiaryError.unavailable(cause: "the repeated recording is gone") }
        return DiaryError(.duplicateRecording, entry: EntryID(other), cause: error.cause)
    }

    /// A refusal for want of space, with what the account stores.
    func withStorage(_ error: DiaryError, most: Int64?, _ member: Member) async throws(DiaryError) -> DiaryError {
        guard error.code == .storageExceeded, let most else { return error }
        let bytes = try await transaction.of(member).one(
            "select s.stored_bytes from user_sync s where s.tenant_id = $1 and s.user_id = $2", member.owner.parameters
        ) { try $0.int() }
        var refusal = error
        refusal.storage = bytes.map { DiaryError.Storage(bytes: $0, maxBytes: most) }
        return refusal
    }

    static func outcome(of entry: NewEntry, made: Row?, known: Row?) throws(DatabaseError) -> CreateOutcome {
        if var made { return .created(try StoredEntry(&made)) }
        // The conflicting row was removed between the two statements, with its account or by expiry. A repeated request gets the
        // right answer.
        guard var known else { throw DatabaseError(.serialization) }
        guard try known.bytes() == entry.requestHash else { return entry.idempotencyHash == nil ? .idTaken : .keyReused }
        // A client-made id that another request took.
        guard try known.bytesOrNil() == entry.requestHash else { return .idTaken }
        let stored = try StoredEntry(&known)
        return stored.facts.deletedAt == nil ? .replayed(stored) : .deleted
    }

    package func rewritePersonal(_ rewrite: PersonalRewrite, keyID: UUID, by member: Member) async throws(DiaryError) -> WriteOutcome {
        let statement = PersonalUpdate.statement(rewrite, keyID: keyID, of: member.owner)
        guard rewrite.corrections != nil else {
            return try await write(member, statement, entry: rewrite.id) { try StoredEntry(&$0) }
        }
        // The lock is a statement of its own, so that the next one sees the segments that a worker committed during the wait.
        return try await write(member, EntryDeletion.lock(keyID, member.owner), statement, entry: rewrite.id) { try StoredEntry(&$0) }
    }

    package func delete(
        _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
    ) async throws(DiaryError) -> RemovalOutcome {
        try await write(
            member, EntryDeletion.lock(keyID, member.owner), EntryDeletion.statement(id, expecting: version, of: member.owner), entry: id
        ) { try StoredRecording(&$0) }
    }

    /// The entry, unless this transaction has written it.
    static func unwritten(_ id: EntryID, of owner: Owner) -> Statement {
        Statement(unwritten, owner.parameters + [.uuid(id.uuid)])
    }

    private static let unwritten = SQL("\(live) and e.xmin <> pg_current_xact_id()::xid")

    /// A write, followed in the same round trip by the entry that it did not write: it has another version, or there is none. Read before
    /// the write, it would not show what the write waited for.
    func write<Written: Sendable>(
        _ member: Member, _ statements: Statement..., entry id: EntryID, _ written: (inout Row) throws -> Written
    ) async throws(DiaryError) -> StoredWrite<Written> {
        try await transaction.of(member).run(statements + [Self.unwritten(id, of: member.owner)]) { rows in
            if var row = rows.first(statements.count - 1) { return .written(try written(&row)) }
            if var row = rows.first(statements.count) { return .conflict(try StoredEntry(&row)) }
            return .missing
        }
    }

    static let transcript = SQL(
        """
        select (select u.locale from users u where u.tenant_id = e.tenant_id and u.id = e.user_id), s.sealed, s.version,
            c.sealed, c.version, c.segments_version, \(EntryColumns.list)
        from entries e
        left join entry_segments s on $4 and s.tenant_id = e.tenant_id and s.user_id = e.user_id and s.entry_id = e.id
        left join segment_corrections c on $4 and c.tenant_id = e.tenant_id and c.user_id = e.user_id and c.entry_id = e.id
        where e.tenant_id = $1 and e.user_id = $2 and e.id = $3 and e.deleted_at is null
        """)

    static let profilesOfEntry = SQL(
        """
        select \(SpeakerColumns.list) from segment_corrections c \(SpeakerColumns.joined)
        where c.tenant_id = $1 and c.user_id = $2 and c.entry_id = $3
        """)

    package func transcript(_ id: EntryID, timed: Bool, of member: Member) async throws(DiaryError) -> StoredTranscript? {
        let named = member.owner.parameters + [.uuid(id.uuid)]
        let statements = [Statement(Self.transcript, named + [.bool(timed)])] + (timed ? [Statement(Self.profilesOfEntry, named)] : [])
        return try await transaction.of(member).run(statements) { rows in
            guard var row = rows.first(0) else { return nil }
            let locale = try row.textOrNil()
            let (segments, corrections) = (try row.sealedColumnOrNil(), try StoredCorrections(&row))
            let profiles = timed ? rows.last : nil
            return StoredTranscript(
                entry: try StoredEntry(&row), segments: segments, corrections: corrections, locale: locale,
                profiles: try profiles?.all { try StoredSpeakerProfile(&$0) } ?? [])
        }
    }
}

extension PostgresEntryStore {
    package init(pool: ConnectionPool) {
        self.init(transaction: MemberTransaction(pool: pool), uploadTransaction: OwnerTransaction(pool: pool))
    }
}

extension StoredCorrections {
    /// From what is sealed, its version and that of the segments; nil where there are none.
    init?(_ row: inout Row) throws(DatabaseError) {
        guard let sealed = try row.sealedColumnOrNil() else {
            row.skip(1)
            return nil
        }
        self.init(sealed: sealed, segmentsVersion: try row.int())
    }
}

extension Parameter {
    /// `label_hashes`: NULL without labels.
    static func labels(_ hashes: [Int64]) -> Parameter { .ints(hashes.isEmpty ? nil : hashes) }
}
