import DiaryCrypto
import FoundationEssentials

/// The disk store's side of a signed PUT: checks the URL and that its entry still waits, then seals the body as it arrives. Never overwrites (D10).
package struct ReceiveUpload: Sendable {
    let verifier: any UploadVerifying
    let entries: any EntryStore
    let objects: any ObjectStore
    let keys: DataKeys
    let clock: WallClock

    package init(verifier: any UploadVerifying, entries: any EntryStore, objects: any ObjectStore, keys: DataKeys, clock: WallClock) {
        self.verifier = verifier
        self.entries = entries
        self.objects = objects
        self.keys = keys
        self.clock = clock
    }

    /// - Returns: the plaintext's SHA-256.
    package func run(
        method: String, path: String, query: String, headers: [(name: String, value: String)], body: any ByteStream
    ) async throws(DiaryError) -> [UInt8] {
        let grant = try verifier.verify(method: method, path: path, query: query, headers: headers, at: clock.now())
        let owner = Owner(tenant: grant.key.tenant, user: grant.key.user)
        // Asked before the body, so that nothing is received in vain.
        switch try await entries.uploadState(grant.key.object, of: owner) {
        case .awaiting: break
        case .finished: throw DiaryError(.uploadExists)
        case .gone: throw DiaryError(.uploadRefused, cause: "no open entry waits for it")
        }
        let key = try await keys.key(of: owner)
        do {
            let digest = try await objects.put(grant.key, from: body, length: grant.length, sha256: grant.sha256, sealedBy: key)
            try await settle(grant.key, of: owner)
            return digest
        } catch ObjectStoreError.alreadyExists {
            // The put that stored it may not have lived to say so, nor to bring it to disk for good. In staging it is missing once it is verified.
            do { try await objects.persist(grant.key) } catch .missing {} catch { throw DiaryError(storing: error) }
            try await settle(grant.key, of: owner)
            throw DiaryError(.uploadExists)
        } catch let error as ObjectStoreError {
            throw DiaryError(storing: error)
        } catch let error as DiaryError {
            throw error
        } catch {
            throw DiaryError(.malformedRequest, detail: "The body ended before its announced length.", cause: "body stream failed")
        }
    }

    /// The last step before a recording is acknowledged. What arrives while its entry is deleted or given up is refused and taken away again.
    private func settle(_ key: ObjectKey, of owner: Owner) async throws(DiaryError) {
        if try await entries.uploadArrived(key.object, of: owner) { return }
        try? await objects.delete(key)
        throw DiaryError(.uploadRefused, detail: "Its entry has ended.", cause: "its entry has ended")
    }
}

extension DiaryError {
    /// A store's refusal on the way in.
    package init(storing error: ObjectStoreError) {
        switch error {
        case .alreadyExists: self.init(.uploadExists)
        case .lengthMismatch: self.init(.malformedRequest, detail: "The body is not as long as announced.")
        case .checksumMismatch: self.init(.uploadRefused, detail: "The body's SHA-256 is not the announced one.")
        case .unavailable(full: true): self.init(.storageFull, retryAfter: 60, cause: "object store is full")
        // Missing: what was being written went from under it. Nothing was stored, and the client's address is as good as before.
        case .unavailable(full: false), .missing: self = .unavailable(cause: "object store")
        case .damaged: self.init(.internalError, cause: "object damaged")
        }
    }
}

/// The app says that its recording has arrived: checked against the store at once, then handed to the workers (D10).
package struct CompleteUpload: Sendable {
    let entries: any EntryStore
    let objects: any ObjectStore
    let keys: DataKeys
    let jobSignals: any JobSignals

    package init(entries: any EntryStore, objects: any ObjectStore, keys: DataKeys, jobSignals: any JobSignals) {
        self.entries = entries
        self.objects = objects
        self.keys = keys
        self.jobSignals = jobSignals
    }

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> Entry {
        guard let stored = try await entries.entry(id, of: member) else { throw .notFound }
        guard stored.facts.kind == .voice, let object = stored.facts.object else { throw DiaryError(.notAVoiceEntry) }
        let vault = try await keys.vault(of: member)
        guard stored.facts.status == .awaitingUpload else { return try vault.open(stored) }
        let key = ObjectKey(kind: .staging, tenant: member.tenant, user: member.user, object: object)
        let size: Int64
        do {
            size = try await objects.facts(key).size
            try await objects.persist(key)
        } catch .missing {
            // It never came, or since the entry was read a sweeper completed it and a worker moved it on, or the account ended.
            guard let now = try await entries.entry(id, of: member) else { throw .notFound }
            guard now.facts.status == .awaitingUpload else { return try vault.open(now) }
            throw DiaryError(.uploadIncomplete)
        } catch {
            throw DiaryError(storing: error)
        }
        guard size == stored.facts.sizeBytes else { throw DiaryError(.uploadSizeMismatch) }
        try Failpoint.completeAfterHead.reach()
        let outcome = try await entries.completeUpload(id, size: size, keyID: vault.key.id, job: JobID(UUIDv7.make()), by: member)
        switch outcome {
        case .enqueued(let stored):
            try Failpoint.completeAfterCommit.reach()
            jobSignals.jobCommitted(.verify)
            try Failpoint.completeAfterSignal.reach()
            return try vault.open(stored)
        case .already(let stored): return try vault.open(stored)
        case .missing: throw .notFound
        }
    }
}

/// Sends a failed entry back to work.
package struct RetryEntry: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let jobSignals: any JobSignals

    package init(entries: any EntryStore, keys: DataKeys, jobSignals: any JobSignals) {
        self.entries = entries
        self.keys = keys
        self.jobSignals = jobSignals
    }

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> Entry {
        let vault = try await keys.vault(of: member)
        switch try await entries.retry(id, keyID: vault.key.id, job: JobID(UUIDv7.make()), by: member) {
        case .enqueued(let stored):
            jobSignals.jobCommitted(.verify)
            jobSignals.jobCommitted(.transcribe)
            return try vault.open(stored)
        case .already: throw DiaryError(.retryNotPossible)
        case .missing: throw .notFound
        }
    }
}
