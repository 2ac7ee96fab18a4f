import DiaryCrypto
import FoundationEssentials

/// Up to a hundred operations on entries, in order, each with its own result. Consecutive ones of a kind are one transaction (tags: a reading
/// and a writing one); no operation is done by half. Every operation may be repeated: a creation by its id, tags and deletions because they
/// are idempotent. With a key, ids that the client left out are derived from it, and an ended batch is answered again without being run.
package struct RunBatch: Sendable {
    /// Charges the number of new entries before anything is written, and refunds those that made none.
    package struct Allowance: Sendable {
        let charge: @Sendable (Int) async throws(DiaryError) -> Void
        let refund: @Sendable (Int) async -> Void

        package init(
            charge: @escaping @Sendable (Int) async throws(DiaryError) -> Void, refund: @escaping @Sendable (Int) async -> Void
        ) {
            self.charge = charge
            self.refund = refund
        }
    }

    let createEntry: CreateEntry
    let entries: any EntryStore
    let trash: any TrashStore
    let removeAudio: RemoveAudio
    let recordings: DeleteRecordings
    let keys: DataKeys
    let serviceKeys: ServiceKeys
    let idempotency: any IdempotencyKeyStore
    let tenants: any TenantStore
    let clock: WallClock

    package func run(
        _ operations: [BatchOperation], key: RequestKey, allowance: Allowance, by member: Member
    ) async throws(DiaryError) -> (results: [BatchResult], replayed: Bool) {
        let vault = try await keys.vault(of: member)
        let batch = Batch(vault: vault, member: member, now: clock.now(), tenant: try await tenants.configuration(of: member.tenant))
        guard let text = key.text else {
            guard key.mayWrite else { throw DiaryError(.rateLimited) }
            let charge = try await charged(operations, allowance)
            return (try await execute(identified(operations, by: nil, at: batch.now), charge, batch), false)
        }
        var canon = CanonicalBytes()
        for operation in operations { for part in operation.canonical(serviceKeys) { canon.add(part) } }
        var claim = KeyClaim(
            operation: .batch, keyHash: serviceKeys.keyHash(text), requestHash: HMACSHA256.code(canon.bytes, key: serviceKeys.requestHash),
            subject: UUIDv7.make(at: batch.now))
        var known = try await known(claim, member)
        var charge: Charge?
        if known == nil {
            guard key.mayWrite else { throw DiaryError(.rateLimited) }
            // Before the claim: a batch that is refused does not use up its key.
            let new = try await charged(operations, allowance)
            do {
                try await idempotency.begin(claim, by: member)
                charge = new
            } catch {
                await new.refund(allBut: 0)
                // Another request with the key came first.
                guard error.code == .concurrentChange, let first = try await self.known(claim, member) else { throw error }
                known = first
            }
        }
        claim.subject = known?.subject ?? claim.subject
        let identified = identified(operations, by: claim.subject, at: batch.now)
        if let stored = known?.results { return (try await repeated(identified, stored, batch), true) }
        guard key.mayWrite else { throw DiaryError(.rateLimited) }
        let paid = if let charge { charge } else { try await charged(operations, allowance) }
        let results = try await execute(identified, paid, batch)
        try await idempotency.finish(claim, results: results.map(\.stored), by: member)
        return (results, false)
    }

    struct Batch {
        var vault: Vault
        var member: Member
        var now: Date
        var tenant: TenantConfiguration
    }

    private func known(_ claim: KeyClaim, _ member: Member) async throws(DiaryError) -> KnownKey? {
        guard let known = try await idempotency.known(.batch, keyHash: claim.keyHash, of: member) else { return nil }
        guard known.requestHash == claim.requestHash else { throw .keyReused }
        return known
    }

    /// Operation and id; new entries without one get theirs.
    private func identified(_ operations: [BatchOperation], by batch: UUID?, at now: Date) -> [(operation: BatchOperation, id: EntryID?)] {
        operations.enumerated().map { index, operation in
            switch operation {
            case .create(let draft):
                let derived = batch.map {
                    UUIDv7.derived(from: $0, Array("batch-entry\0\(index)".utf8), key: serviceKeys.requestHash)
                }
                return (operation, draft.id ?? EntryID(derived ?? UUIDv7.make(at: now)))
            case .tag(let id, _, _), .delete(let id), .deleteAudio(let id): return (operation, id)
            case .refused: return (operation, nil)
            }
        }
    }

    /// New entries that were charged.
    private struct Charge {
        var creations: Int
        var allowance: Allowance

        /// An entry that existed already counts as not made: its creation was charged then.
        func refund(allBut made: Int) async { await allowance.refund(creations - made) }
    }

    private func charged(_ operations: [BatchOperation], _ allowance: Allowance) async throws(DiaryError) -> Charge {
        let charge = Charge(creations: operations.count { $0.isCreation }, allowance: allowance)
        try await allowance.charge(charge.creations)
        return charge
    }

    private func execute(
        _ operations: [(operation: BatchOperation, id: EntryID?)], _ charge: Charge, _ batch: Batch
    ) async throws(DiaryError) -> [BatchResult] {
        // What was made before a failure stays, and a repetition finds it.
        var made = 0
        do {
            let results = try await execute(operations, batch, made: &made)
            await charge.refund(allBut: made)
            return results
        } catch {
            await charge.refund(allBut: made)
            throw error
        }
    }

    private func execute(
        _ operations: [(operation: BatchOperation, id: EntryID?)], _ batch: Batch, made: inout Int
    ) async throws(DiaryError) -> [BatchResult] {
        var results: [BatchResult] = []
        while results.count < operations.count {
            let rest = operations[results.count...]
            guard let first = rest.first, let kind = first.operation.kind else {
                if case .refused(let error)? = rest.first?.operation { results.append(.refused(error)) }
                continue
            }
            var names: Set<EntryID> = []
            let group = Array(rest.prefix { $0.operation.kind == kind && $0.id.map { names.insert($0).inserted } == true })
            switch kind {
            case .create: results += try await create(group, from: results.count, batch, made: &made)
            case .tag: results += try await tag(group, from: results.count, batch)
            case .delete: results += try await delete(group.compactMap(\.id), batch)
            case .deleteAudio: results += try await deleteAudio(group.compactMap(\.id), batch)
            }
        }
        return results
    }

    // MARK: Kinds

    private func create(
        _ group: [(operation: BatchOperation, id: EntryID?)], from first: Int, _ batch: Batch, made: inout Int
    ) async throws(DiaryError) -> [BatchResult] {
        var results = [BatchResult](repeating: .refused(DiaryError(.internalError)), count: group.count)
        var prepared: [(index: Int, draft: EntryDraft, entry: NewEntry)] = []
        for (index, one) in group.enumerated() {
            guard case .create(let draft) = one.operation, let id = one.id else { continue }
            do {
                if draft.facts.kind == .voice { try createEntry.check(draft, in: batch.tenant) }
                prepared.append(
                    (
                        index, draft,
                        try createEntry.entry(draft, id, batch.vault, in: batch.tenant, at: batch.now)
                    ))
            } catch {
                results[index] = .refused(error.below("/operations/\(first + index)/entry"))
            }
        }
        var repeated: [(index: Int, id: EntryID, inParts: Bool)] = []
        let outcomes = try await outcomes(of: prepared.map(\.entry), batch)
        made += outcomes.count { if case .success(.created) = $0 { true } else { false } }
        createEntry.signal(prepared.map(\.entry))
        for (one, result) in zip(prepared, outcomes) {
            do throws(DiaryError) {
                let outcome = try result.get()
                if case .replayed = outcome {
                    repeated.append((one.index, one.entry.id, one.draft.wantsParts))
                    continue
                }
                var started = try createEntry.started(
                    outcome, one.draft, batch.vault, of: batch.member, in: batch.tenant, at: batch.now)
                started.entry = started.entry.withoutLongTexts
                results[one.index] = .created(started)
            } catch {
                guard error.code.status < 500, error.code != .unauthorized else { throw error }
                results[one.index] = .refused(error.below("/operations/\(first + one.index)/entry"))
            }
        }
        let found = try await summaries(of: repeated.map(\.id), batch)
        for one in repeated { results[one.index] = result(ofMade: found[one.id], batch, inParts: one.inParts) }
        return results
    }

    /// The present result of a creation that was done before; nil for an entry that was deleted since.
    private func result(ofMade entry: Entry?, _ batch: Batch, inParts: Bool) -> BatchResult {
        entry.map { .created(createEntry.repeated($0, of: batch.member, in: batch.tenant, at: batch.now, inParts: inParts)) }
            ?? .refused(DiaryError(.entryDeleted))
    }

    /// Creates all in one transaction. An unknown zone, a recording over the storage limit or a duplicate stops it; then each entry gets
    /// its own transaction, so that only the faulty one is refused.
    private func outcomes(of new: [NewEntry], _ batch: Batch) async throws(DiaryError) -> [Result<CreateOutcome, DiaryError>] {
        guard !new.isEmpty else { return [] }
        do { return try await entries.create(new, by: batch.member).map { .success($0) } } catch {
            guard [.invalidFields, .storageExceeded, .duplicateRecording].contains(error.code) else { throw error }
        }
        var outcomes: [Result<CreateOutcome, DiaryError>] = []
        for entry in new {
            do { outcomes += try await entries.create([entry], by: batch.member).map { .success($0) } } catch {
                outcomes.append(.failure(error))
            }
        }
        return outcomes
    }

    private func tag(
        _ group: [(operation: BatchOperation, id: EntryID?)], from first: Int, _ batch: Batch
    ) async throws(DiaryError) -> [BatchResult] {
        var results = [BatchResult](repeating: .refused(DiaryError(.concurrentChange, retryAfter: 1)), count: group.count)
        var open = Array(group.indices)
        // As with `If-Match: *`, a concurrent change is read again.
        for _ in 0..<16 where !open.isEmpty {
            var conflicts: [Int] = []
            while !open.isEmpty {
                let page = try await read(open.compactMap { group[$0].id }, batch)
                let left = open.filter { index in group[index].id.map(page.left.contains) == true }
                var rewrites: [(index: Int, rewrite: PersonalRewrite)] = []
                for index in open where !left.contains(index) {
                    guard case .tag(let id, let add, let remove) = group[index].operation else { continue }
                    guard let entry = page.found[id] else {
                        results[index] = .refused(.notFound)
                        continue
                    }
                    do throws(DiaryError) {
                        let rewrite = try rewrite(of: entry, add, remove, at: "/operations/\(first + index)", batch)
                        if let rewrite { rewrites.append((index, rewrite)) } else { results[index] = .changed(entry.withoutLongTexts) }
                    } catch {
                        guard error.code.status < 500 else { throw error }
                        results[index] = .refused(error)
                    }
                }
                conflicts += try await write(rewrites, batch, to: &results)
                open = left
            }
            open = conflicts
        }
        return results
    }

    /// nil when the entry has these tags already.
    private func rewrite(
        of entry: Entry, _ add: [String], _ remove: [String], at place: String, _ batch: Batch
    ) throws(DiaryError) -> PersonalRewrite? {
        guard !entry.damage.contains(.personal) else { throw DiaryError(.entryDamaged) }
        var personal = entry.personal
        let removed = Set(remove.map { EntryLabel(.tag, $0) })
        personal.tags = personal.tags.filter { !removed.contains(EntryLabel(.tag, $0)) }
        var kept = Set(personal.tags.map { EntryLabel(.tag, $0) })
        for tag in add where kept.insert(EntryLabel(.tag, tag)).inserted { personal.tags.append(tag) }
        guard personal.tags.count <= PersonalPart.tagCount else {
            throw .invalid("\(place)/add_tags", "an entry has at most \(PersonalPart.tagCount) tags")
        }
        guard personal.tags != entry.personal.tags else { return nil }
        return try batch.vault.rewrite(personal, of: entry.facts.id, over: entry.version)
    }

    /// - Returns: the places of those that were changed since they were read.
    private func write(
        _ rewrites: [(index: Int, rewrite: PersonalRewrite)], _ batch: Batch, to results: inout [BatchResult]
    ) async throws(DiaryError) -> [Int] {
        guard !rewrites.isEmpty else { return [] }
        let outcomes = try await entries.rewritePersonal(rewrites.map(\.rewrite), keyID: batch.vault.key.id, by: batch.member)
        var conflicts: [Int] = []
        for (one, outcome) in zip(rewrites, outcomes) {
            switch outcome {
            case .written(let stored): results[one.index] = .changed(try batch.vault.open(stored).withoutLongTexts)
            case .missing: results[one.index] = .refused(.notFound)
            case .conflict: conflicts.append(one.index)
            }
        }
        return conflicts
    }

    private func delete(_ ids: [EntryID], _ batch: Batch) async throws(DiaryError) -> [BatchResult] {
        if let days = batch.tenant.trashDays {
            let outcomes = try await trash.moveToTrash(ids, days: days, keyID: batch.vault.key.id, by: batch.member)
            return outcomes.map { if case .missing = $0 { .refused(.notFound) } else { .deleted } }
        }
        let outcomes = try await entries.delete(ids, keyID: batch.vault.key.id, by: batch.member)
        let deleted = outcomes.compactMap { if case .deleted(let recording) = $0 { recording } else { nil } }
        _ = await recordings.run(deleted, of: batch.member.owner)
        return outcomes.map { if case .missing = $0 { .refused(.notFound) } else { .deleted } }
    }

    /// The rows one after the other, then their objects together.
    private func deleteAudio(_ ids: [EntryID], _ batch: Batch) async throws(DiaryError) -> [BatchResult] {
        var results: [BatchResult] = []
        var removed: [StoredRecording] = []
        for id in ids {
            do throws(DiaryError) {
                let marked = try await removeAudio.mark(id, matching: .any, by: batch.member)
                switch marked.write {
                case .written(let entry), .conflict(let entry): results.append(.changed(entry.withoutLongTexts))
                }
                if let recording = marked.removed { removed.append(recording) }
            } catch {
                guard error.code.status < 500, error.code != .unauthorized else { throw error }
                results.append(.refused(error))
            }
        }
        await removeAudio.finish(removed, of: batch.member.owner)
        return results
    }

    // MARK: Repetition

    private func repeated(
        _ operations: [(operation: BatchOperation, id: EntryID?)], _ stored: [String], _ batch: Batch
    ) async throws(DiaryError) -> [BatchResult] {
        let found = try await summaries(of: zip(operations, stored).compactMap { $1 == "201" || $1 == "200" ? $0.id : nil }, batch)
        var results: [BatchResult] = []
        for (one, stored) in zip(operations, stored) {
            switch (stored, one.id.flatMap { found[$0] }) {
            case ("201", let entry): results.append(result(ofMade: entry, batch, inParts: one.operation.wantsParts))
            case ("200", let entry?): results.append(.changed(entry))
            case ("200", nil): results.append(.refused(.notFound))
            case ("204", _): results.append(.deleted)
            default:
                if case .refused(let error) = one.operation {
                    results.append(.refused(error))
                } else {
                    results.append(.refused(BatchResult.refusal(stored)))
                }
            }
        }
        return results
    }

    // MARK: Reading

    private func summaries(of ids: [EntryID], _ batch: Batch) async throws(DiaryError) -> [EntryID: Entry] {
        var (found, left): ([EntryID: Entry], [EntryID]) = ([:], ids)
        while !left.isEmpty {
            let page = try await read(left, batch)
            for (id, entry) in page.found { found[id] = entry.withoutLongTexts }
            left = Array(page.left)
        }
        return found
    }

    /// A page of the entries, and the ids that are left to be read: a hundred of the largest must not be in memory at once.
    private func read(_ ids: [EntryID], _ batch: Batch) async throws(DiaryError) -> (found: [EntryID: Entry], left: Set<EntryID>) {
        let page = try await entries.entries(ids, of: batch.member)
        let found = Dictionary(try batch.vault.open(page.entries).map { ($0.facts.id, $0) }) { first, _ in first }
        guard page.more, let last = page.last?.facts.id.description else { return (found, []) }
        return (found, Set(ids.filter { $0.description > last }))
    }
}

extension DiaryError {
    /// Pointers into an object of the body, as pointers into the body.
    fileprivate func below(_ place: String) -> DiaryError {
        var error = self
        error.fields = fields.map { $0.pointer.hasPrefix("/") ? Field(place + $0.pointer, $0.detail) : $0 }
        return error
    }
}
