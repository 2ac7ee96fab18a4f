import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats
import ZipArchive

/// Makes entries of a zip's elements, one after the other. Each element is written in one transaction with the import's progress, so that a
/// worker that takes over goes on behind it.
struct ImportRun: Sendable {
    let store: any ImportRunStore
    let objects: any ObjectStore
    let keys: DataKeys
    let vault: Vault
    let job: LeasedJob
    let importRow: Import
    /// Lines that the report has.
    let reported: Int
    let archive: ImportArchive
    let tenant: TenantConfiguration
    let limits: Limits
    let clock: WallClock

    /// Elements without a write of their own, and notes, that one write tells of.
    static let batch: Int64 = 200

    func run() async throws {
        var pending = PendingImportStep(from: importRow.done, linesLeft: ImportItem.most - reported)
        if !archive.tags.isEmpty {
            let tags = try archive.tags.map { try vault.sealed($0) }
            try await store.addTags(tags, most: ColoredTag.most, keyID: vault.key.id, job)
        }
        if !archive.speakers.isEmpty {
            let speakers = try archive.speakers.map { (id: $0.id, sealed: try vault.seal(speaker: $0.name, $0.id, version: 1).bytes) }
            try await store.addSpeakers(speakers, keyID: vault.key.id, job)
        }
        var files = ImportedFiles { [archive] in archive.place(of: $0) }
        var number: Int64 = 0
        for entry in archive.lists {
            var list = try await ImportWork.run { [archive] in ImportListBox(list: try archive.list(entry)) }
            while true {
                try Task.checkCancellation()
                let (element, rest) = try await ImportWork.run(stoppable: { [list] stop in
                    var list = list.list
                    let element = try list.next(stop)
                    return (element, ImportListBox(list: list))
                })
                list = rest
                guard let element else { break }
                number += 1
                // An element of some megabytes takes its time.
                var content = try await ImportWork.run { [self] in read(element) }
                if case .entries(let candidates) = content { content = .entries(files.assign(candidates)) }
                // An earlier attempt wrote these; they are read only to assign their files.
                guard number > importRow.done else { continue }
                try await add(content, number, &pending)
                if pending.isFull(Self.batch) { try await flush(&pending) }
                if archive.total > 0 { JobProgress.report(Int(clamping: number * 100 / archive.total)) }
            }
        }
        if archive.unknownFiles > 0 {
            pending.note(.init(code: .unknownFiles, count: archive.unknownFiles), nil, at: archive.total + 1)
        }
        try await reportDeletions(&pending)
        try await flush(&pending, isLast: true)
    }

    // MARK: One element

    private func add(_ element: ImportElement, _ number: Int64, _ pending: inout PendingImportStep) async throws {
        switch element {
        case .refused(let code, let id):
            pending.counts.failed += 1
            pending.note(.init(outcome: .failed, code: code), id, at: number)
            pending.done = number
        case .entries(let candidates):
            let known = try await known(candidates)
            guard !known.isDisabled else { throw JobStop(outcome: .discard(.gone), cause: "the account is disabled") }
            var spaceLeft = tenant.usageLimits.storageBytes.map { $0 - known.storedBytes }
            var made: [ImportedEntry] = []
            do {
                for candidate in candidates {
                    guard let entry = try await decide(candidate, known, made, spaceLeft, number, &pending) else { continue }
                    if entry.object != nil { spaceLeft = spaceLeft.map { $0 - (entry.facts.sizeBytes ?? 0) } }
                    made.append(entry)
                }
            } catch {
                await deleteUnreferenced(made)
                throw error
            }
            pending.done = number
            // The account may have got recordings meanwhile. One entry less each time; the last goes first: the first has the words.
            while !made.isEmpty, try await !write(&pending, made) {
                let refused = made.removeLast()
                await deleteUnreferenced([refused])
                pending.refuse(.storageExceeded, .failed, refused.id, at: number)
            }
        }
    }

    /// What the account has of an element, asked for once: it may have a hundred recordings.
    private func known(_ candidates: [ImportCandidate]) async throws(WorkError) -> KnownEntries {
        let ids = candidates.flatMap { [$0.id] + ($0.recording?.holder.map { [$0] } ?? []) }
        return try await store.known(
            ids + ids.map(Self.replacementID), recordings: [], before: importRow.createdAt, of: job.owner)
    }

    private func read(_ element: JSONListReader.Element) -> ImportElement {
        guard case .bytes(let bytes) = element else { return .refused(.entryTooLarge, nil) }
        guard let object = ImportArchive.object(bytes, of: archive.source) else { return .refused(.invalidEntry, nil) }
        return switch archive.source {
        case .diary: DiaryExportElement().read(object)
        case .dayOne: DayOneElement(recording: archive.recordingPath).read(object)
        }
    }

    /// - Parameters:
    ///   - made: of the same element.
    ///   - spaceLeft: bytes of recordings that the account may still store; nil without a limit.
    /// - Returns: nil when nothing is made of it, which is noted.
    private func decide(
        _ candidate: ImportCandidate, _ known: KnownEntries, _ made: [ImportedEntry], _ spaceLeft: Int64?, _ number: Int64,
        _ pending: inout PendingImportStep
    ) async throws -> ImportedEntry? {
        var candidate = candidate
        let own = candidate.id
        let replacement = Self.replacementID(of: own)
        switch (known.ids[own], known.ids[replacement]) {
        case (.there, _), (_, .there):
            pending.counts.unchanged += 1
            let there = known.ids[own] == .there ? own : replacement
            if try await differs(candidate, from: there) {
                pending.note(.init(outcome: .unchanged, code: .otherVersion), there, at: number)
            }
            return nil
        case (.inTrash, _), (_, .inTrash):
            pending.refuse(.inTrash, .skipped, own, at: number)
            return nil
        // The tombstone has the id, so the entry gets a derived one.
        case (.deleted, nil): candidate.id = replacement
        case (.deleted, .deleted), (nil, .deleted):
            pending.refuse(.deleted, .skipped, own, at: number)
            return nil
        case (nil, nil): break
        }
        for note in candidate.notes { pending.note(note, candidate.id, at: number) }
        while true {
            do throws(Refused) {
                return try await entry(of: &candidate, known, made, spaceLeft, number, &pending)
            } catch {
                if let stop = error.stop { throw stop }
                let name = candidate.recording?.file.member
                guard candidate.giveUpRecording(after: error.code) else {
                    pending.refuse(error.code, error.outcome, own, at: number, name: name)
                    return nil
                }
                pending.note(.init(outcome: .failed, code: error.code, name: name), candidate.id, at: number)
            }
        }
    }

    /// - Returns: nil when another entry has the recording, which is noted.
    private func entry(
        of candidate: inout ImportCandidate, _ known: KnownEntries, _ made: [ImportedEntry], _ spaceLeft: Int64?, _ number: Int64,
        _ pending: inout PendingImportStep
    ) async throws(Refused) -> ImportedEntry? {
        if let other = try await sameRecording(candidate, known) {
            // The entry that has the file may itself have been refused, or deleted before.
            let isThere = candidate.recording?.holder == nil || known.ids[other] == .there || made.contains { $0.id == other }
            let outcome: ImportItem.Outcome = isThere ? .unchanged : .skipped
            pending.note(.init(outcome: outcome, code: .sameRecording), other, at: number)
            // Two entries of an own export do not name one file, unless it was changed.
            guard candidate.recording?.file.sha256 == nil, candidate.personal.edited != nil else {
                if isThere { pending.counts.unchanged += 1 } else { pending.counts.skipped += 1 }
                return nil
            }
            candidate.becomeText()
        }
        guard candidate.hasWords || candidate.recording != nil || candidate.isOnDevice else { throw Refused(.noContent, .skipped) }
        guard candidate.facts.kind == .voice || candidate.personal.edited != nil else { throw Refused(.noContent, .skipped) }
        return try await sealed(candidate, spaceLeft)
    }

    /// The id of an entry whose own id has a tombstone.
    static func replacementID(of id: EntryID) -> EntryID {
        var octets = Array(SHA256.digest(Array("diary/v1/imported-again".utf8) + id.uuid.octets).prefix(16))
        octets[6] = octets[6] & 0x0F | 0x80
        octets[8] = octets[8] & 0x3F | 0x80
        return EntryID(UUID(octets: octets) ?? id.uuid)
    }

    // MARK: Files

    /// Why an entry is not made; or a failure that is not the zip's.
    private struct Refused: Error {
        var code: ImportItem.Code
        var outcome: ImportItem.Outcome
        var stop: JobStop?

        init(_ code: ImportItem.Code, _ outcome: ImportItem.Outcome = .failed) {
            self.code = code
            self.outcome = outcome
        }

        init(_ error: any Error) {
            self.init(.fileDamaged)
            switch error {
            case let error as ZipReadError:
                switch error {
                case .encrypted, .unsupportedMethod, .specialFile: code = .fileNotSupported
                case .file, .library: stop = .retry(.storageUnavailable, cause: error.description)
                default: code = .fileDamaged
                }
            case ObjectStoreError.lengthMismatch, ObjectStoreError.checksumMismatch: code = .fileDamaged
            default: stop = JobStop(any: error)
            }
        }
    }

    private func member(_ file: ImportCandidate.File) async throws(Refused) -> ImportedMember {
        let opened: ZipMemberReader?
        do { opened = try await ImportWork.run { [archive] in try archive.open(file.member) } } catch { throw Refused(error) }
        guard let opened else { throw Refused(.fileMissing) }
        guard file.size == nil || file.size == opened.entry.size else { throw Refused(.fileDamaged) }
        return ImportedMember(opened)
    }

    /// An entry that has the recording: an earlier one of the zip, or one that was there before the import. An own export, which says the
    /// recording's digest, tells entries apart by their ids: two of them may have the same recording, each with texts of its own.
    private func sameRecording(_ candidate: ImportCandidate, _ known: KnownEntries) async throws(Refused) -> EntryID? {
        guard let recording = candidate.recording else { return nil }
        if let holder = recording.holder { return known.ids[holder] == .deleted ? Self.replacementID(of: holder) : holder }
        guard recording.file.sha256 == nil else { return nil }
        let member = try await member(recording.file)
        var hash = SHA256Stream()
        do { while let piece = try await member.next() { hash.update(piece) } } catch { throw Refused(error) }
        let digest = hash.finish()
        do { return try await store.known([], recordings: [digest], before: importRow.createdAt, of: job.owner).recordings[digest] } catch {
            throw Refused(error)
        }
    }

    // MARK: Sealing

    private var mostAudioBytes: Int64 { tenant.maxAudioBytes(within: limits) }

    private func sealed(_ candidate: ImportCandidate, _ spaceLeft: Int64?) async throws(Refused) -> ImportedEntry {
        let row = candidate.id.uuid
        var entry: ImportedEntry
        do throws(DiaryError) {
            entry = ImportedEntry(
                id: candidate.id, recordedAt: candidate.recordedAt, createdAt: candidate.createdAt, facts: candidate.facts,
                personal: SealedColumn(
                    bytes: try vault.seal(candidate.personal, as: .personal, row: row, version: candidate.personalVersion),
                    version: candidate.personalVersion))
            entry.labelHashes = vault.hashes(of: candidate.personal.labels)
            if let machine = candidate.machine {
                entry.machine = SealedColumn(
                    bytes: try vault.seal(machine, as: .machine, row: row, version: candidate.machineVersion),
                    version: candidate.machineVersion)
            }
            if let segments = candidate.segments {
                let version = candidate.segmentsVersion
                entry.segments = SealedColumn(bytes: try vault.seal(segments, as: .segments, row: row, version: version), version: version)
                if !candidate.corrections.isEmpty {
                    entry.corrections = StoredCorrections(
                        sealed: try vault.sealed(candidate.corrections, of: candidate.id, version: candidate.correctionsVersion),
                        segmentsVersion: version)
                    for (id, name) in candidate.corrections.profileNames {
                        entry.profiles.append((id, try vault.seal(speaker: name, id, version: 1).bytes))
                    }
                }
            }
            for revision in candidate.revisions {
                entry.revisions.append(
                    (try vault.seal(revision.part, revision.layer, number: revision.number, of: candidate.id), revision.replacedAt))
            }
        } catch {
            throw Refused(error)
        }
        if let recording = candidate.recording {
            try await store(recording, spaceLeft, in: &entry)
        } else if candidate.facts.kind == .voice, !candidate.isOnDevice {
            let lost = candidate.lost
            // What the zip says of it cannot be checked, and costs of jobs are estimated by it.
            let contentType = lost?.contentType ?? ""
            (entry.facts.contentType, entry.facts.sizeBytes) = (
                AudioFormat(contentType: contentType) == nil ? AudioFormat.m4a.rawValue : contentType,
                max(1, min(lost?.sizeBytes ?? 1, mostAudioBytes))
            )
            (entry.facts.sha256, entry.audioRemovedAt) = (lost?.sha256, lost?.removedAt ?? clock.now())
        }
        return entry
    }

    /// At its final key, sealed, where no upload URL reaches it; the job `verify` checks it there before it is served, as after a restoration
    /// from the trash.
    private func store(_ recording: ImportCandidate.Recording, _ spaceLeft: Int64?, in entry: inout ImportedEntry) async throws(Refused) {
        let member = try await member(recording.file)
        let size = member.size
        guard size > 0 else { throw Refused(.fileDamaged) }
        guard size <= mostAudioBytes else { throw Refused(.recordingTooLarge) }
        // An early check; the limit is enforced when the entry is written.
        guard size <= spaceLeft ?? .max else { throw Refused(.storageExceeded) }
        let key = ObjectKey(kind: .audio, owner: job.owner, object: UUIDv7.make(at: clock.now()))
        do {
            entry.facts.sha256 = try await objects.put(key, from: member, length: size, sha256: recording.file.sha256, sealedBy: vault.key)
        } catch {
            throw Refused(error)
        }
        (entry.object, entry.facts.sizeBytes, entry.facts.contentType) = (key.object, size, recording.format.rawValue)
        // Measured by the check; until then it is what the zip says.
        entry.facts.durationSeconds = entry.facts.durationSeconds.map { min($0, tenant.maxAudioSeconds(within: limits)) }
        entry.job = NewJob(.verify, id: JobID(UUIDv7.make(at: clock.now())), cost: JobCost.verify(bytes: size))
        do { try Failpoint.importStored.hit() } catch { throw Refused(error) }
    }

    /// No row names them. Where that is not certain they stay, and the sweeper collects them if they are orphans.
    private func deleteUnreferenced(_ entries: [ImportedEntry]) async {
        let keys = entries.compactMap { $0.object.map { ObjectKey(kind: .audio, owner: job.owner, object: $0) } }
        if !keys.isEmpty { _ = try? await objects.delete(keys) }
    }

    // MARK: Writing

    func flush(_ pending: inout PendingImportStep, isLast: Bool = false) async throws {
        guard pending.done > pending.from || isLast && !pending.items.isEmpty else { return }
        _ = try await write(&pending, [])
    }

    /// - Returns: false when the entries do not fit into what the account may store; nothing is written then.
    private func write(_ pending: inout PendingImportStep, _ entries: [ImportedEntry]) async throws -> Bool {
        var step = ImportStep(
            from: pending.from, done: pending.done, keyID: vault.key.id, storageLimit: tenant.usageLimits.storageBytes)
        step.entries = entries
        step.counts = pending.counts
        for item in pending.items {
            let name = try item.name.map { try vault.seal(Array($0.utf8), .importName, row: importRow.id.uuid, version: item.number) }
            step.items.append(StoredImportItem(item: item, name: name))
        }
        let isWritten = try await ResultWriting(keys: keys, owner: job.owner).run { () async throws -> Bool in
            do throws(WorkError) {
                try await store.write(step, job)
                return true
            } catch {
                if case .unavailable(let cause) = error, cause.code == .storageExceeded { return false }
                throw error
            }
        }
        if isWritten {
            pending = pending.next
            if !entries.isEmpty { try Failpoint.importWritten.hit() }
        }
        return isWritten
    }
}

/// Passes a list between threads; one of them has it at a time.
struct ImportListBox: Sendable {
    let list: ImportList
}
