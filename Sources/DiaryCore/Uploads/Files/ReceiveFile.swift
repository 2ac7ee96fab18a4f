import DiaryCrypto
package import FoundationEssentials

/// Receives a recording in one request, which announces nothing. Its length and digest are known when it has ended, and what is sealed states
/// its length: a short one is stored then, of a longer one each part as it is full, and the parts are joined.
///
/// The entry is made last. Until then no row names what has arrived: a request that is cut leaves nothing, and what a process leaves that dies
/// is swept. The same bytes again give the same entry.
package struct ReceiveFile: Sendable {
    let create: CreateEntry
    let complete: CompleteUpload
    let objects: any ObjectStore
    let parts: any UploadParts
    let places: UploadPlaces

    package struct Received: Sendable, Equatable {
        package let entry: EntryID
        /// The account had these bytes.
        package let isRepeated: Bool
        /// The account's entry of these bytes has: they are no recording.
        package var hasFailed = false
    }

    /// - Parameters:
    ///   - recordedAt: nil: what the file's name says, or now.
    ///   - open: reads the body up to the file. Called when the session has been found.
    package func run(
        recordedAt: Date?, by member: Member, _ open: () async throws -> SentFile
    ) async throws(DiaryError) -> Received {
        let tenant = try await create.tenants.configuration(of: member.tenant)
        let vault = try await create.keys.vault(of: member)
        let now = create.clock.now()
        let id = EntryID(UUIDv7.make(at: now))
        // There is no such entry. It is the check of the session, before a body is read for it.
        _ = try await create.entries.entry(id, of: member)
        let most = tenant.maxAudioBytes(within: create.limits)
        guard most > 0 else { throw DiaryError(.bodyTooLarge, detail: "This app takes no recordings.") }
        let partSize = try places.enter(member.owner, smallest: parts.smallestPart)
        defer { places.leave(member.owner) }
        let file: SentFile
        do { file = try await open() } catch { throw Self.mapped(error) }
        let key = ObjectKey(kind: .staging, owner: member.owner, object: UUIDv7.make(at: now))
        let (size, digest) = try await store(file, as: key, PartCutter(file.body, size: partSize, most: most), vault)
        do throws(DiaryError) {
            let draft = Self.draft(of: file, recordedAt, size, digest)
            var entry = try create.entry(draft, id, vault, in: tenant, at: now)
            entry.object = key.object
            if let known = try await enter(entry, by: member) {
                await discard(key)
                return Received(entry: known.id, isRepeated: true, hasFailed: known.status == .failed)
            }
        } catch {
            // After another failure a row may name the object; if none does, it is swept.
            if error.code.status < 500 { await discard(key) }
            throw error
        }
        await begin(id, key, size, vault, member)
        return Received(entry: id, isRepeated: false)
    }

    private static func draft(of file: SentFile, _ recordedAt: Date?, _ size: Int64, _ digest: [UInt8]) -> EntryDraft {
        var personal = PersonalPart()
        personal.metadata[FileNameTime.key] = file.name
        return EntryDraft(
            id: nil, idempotencyKey: nil, recordedAt: recordedAt,
            facts: GivenFacts(kind: .voice, sizeBytes: size, contentType: file.format.rawValue, sha256: digest), personal: personal)
    }

    /// - Returns: what is in staging then, durably.
    private func store(
        _ file: SentFile, as key: ObjectKey, _ cutter: PartCutter, _ vault: Vault
    ) async throws(DiaryError) -> (size: Int64, sha256: [UInt8]) {
        var cutter = cutter
        do {
            var part = try await cutter.next()
            guard !part.isEmpty else { throw DiaryError.invalid("/file", "is empty") }
            guard part.count == cutter.size else {
                let size = Int64(part.count)
                let digest = try await objects.put(key, from: BufferedBody(part), length: size, sha256: nil, sealedBy: vault.key)
                return (size, digest)
            }
            let set = try await parts.begin(key, contentType: file.format.rawValue)
            var number = 1
            while !part.isEmpty {
                try await parts.put(PartKey(key: key, upload: set, number: number), part, sealedBy: vault.key)
                number += 1
                // Freed before the next one is filled.
                part = []
                part = try await cutter.next()
            }
            let upload = PartUpload(
                key: key, id: set, contentType: file.format.rawValue, size: cutter.taken, partSize: Int64(cutter.size))
            let arrived = try await parts.arrived(upload)
            guard upload.isComplete(arrived) else { throw ObjectStoreError.missing }
            try await parts.join(upload, of: arrived, sealedBy: vault.key)
            // The sweep does it otherwise.
            try? await parts.discard(key, id: set)
            return (cutter.taken, cutter.digest())
        } catch {
            await discard(key)
            throw Self.mapped(error)
        }
    }

    /// Makes the entry.
    /// - Returns: the entry that has this recording already, instead.
    private func enter(_ entry: NewEntry, by member: Member) async throws(DiaryError) -> EntryFacts? {
        var entry = entry
        do throws(DiaryError) {
            _ = try await create.entries.create(entry, by: member)
            return nil
        } catch {
            guard error.code == .duplicateRecording, let known = error.entry else { throw error }
            if let facts = try await holder(known, member) { return facts }
        }
        // The other one was announced with this digest, and has not got its recording.
        entry.uniqueDigest = nil
        _ = try await create.entries.create(entry, by: member)
        return nil
    }

    /// An entry of the bytes' digest, where they are safe with it. One that waits for them may have them in the store: the process that
    /// received them before may have died.
    private func holder(_ id: EntryID, _ member: Member) async throws(DiaryError) -> EntryFacts? {
        guard let facts = try await create.entries.entry(id, of: member)?.facts, !facts.isOnDevice else { return nil }
        guard facts.status == .awaitingUpload || facts.status == .failed && ReissueUpload.reopens(facts) else { return facts }
        do throws(DiaryError) {
            let now = try await complete.run(id, by: member).facts
            return now.status != .awaitingUpload && now.status != .failed ? now : nil
        } catch {
            if error.code.status >= 500 { throw error }
            return nil
        }
    }

    /// Queues the check. Where that fails the sweep does it: the entry names what is stored.
    private func begin(_ id: EntryID, _ key: ObjectKey, _ size: Int64, _ vault: Vault, _ member: Member) async {
        let job = NewJob(.verify, cost: JobCost.verify(bytes: size))
        let completed = try? await create.entries.completeUpload(
            id, object: key.object, size: size, keyID: vault.key.id, job: job, by: member)
        if case .enqueued? = completed?.outcome { create.jobSignals.jobCommitted(job.kind) }
    }

    /// In a task of its own: that of the request may have been cancelled.
    private func discard(_ key: ObjectKey) async {
        let (objects, parts) = (objects, parts)
        let discarding = Task { () async -> Void in
            try? await parts.discard(key, id: nil)
            try? await objects.delete(key)
        }
        await discarding.value
    }

    private static func mapped(_ error: any Error) -> DiaryError {
        switch error {
        case let error as DiaryError: error
        case let error as ObjectStoreError: DiaryError(storing: error)
        default: DiaryError(.malformedRequest, detail: "The body ended too early.", cause: "\(type(of: error))")
        }
    }
}
