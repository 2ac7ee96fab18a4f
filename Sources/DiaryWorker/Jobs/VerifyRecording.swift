package import DiaryCore
import DiaryCrypto
import FoundationEssentials
import ZipArchive

/// Checks an uploaded recording: size, hash, media, length. Computes its waveform, makes a playable copy when not all players play the
/// original's format, and moves the recording to a key that no upload URL covers (decision D10).
package struct VerifyRecording: Job {
    package let kind = JobKind.verify
    let store: any TranscriptionStore
    let objects: any ObjectStore
    let keys: DataKeys
    let probe: any MediaProbe
    let renderer: any RecordingRenderer
    let folders: JobFolders
    let tenants: any TenantStore
    let limits: Limits
    var clock = WallClock.system

    /// Tries that fail when only a copy is found although the app keeps originals.
    static let triesForOriginal = 2

    package func work(_ job: LeasedJob) async throws -> JobKind? {
        let entry = try await beginning { try await store.beginEntry(job) }.entry
        guard let object = entry.facts.object, entry.facts.contentType != nil else { throw JobStop.discard(.uploadMissing) }
        let staging = ObjectKey(kind: .staging, owner: job.owner, object: object)
        let final = ObjectKey(kind: .audio, owner: job.owner, object: object)
        let copy = ObjectKey(kind: .audio, owner: job.owner, object: PlayableCopy.object(of: object))
        // The final key comes first: an earlier try may have crashed after the move, and a late upload may have put something into staging
        // since. It is asked for again after staging: a worker that has lost its lease may promote between the two look-ups. The copy comes
        // last: it stands for an original that is not kept, when the database was restored from before its check.
        let (arrived, facts) = try await objects.locate([final, staging, final, copy])
        if arrived != copy, let declared = entry.facts.sizeBytes, declared != facts.size { throw JobStop.discard(.uploadSizeMismatch) }

        let vault = Vault(key: try await keys.key(of: job.owner), owner: job.owner)
        let tenant = try await tenants.configuration(of: job.owner.tenant)
        // To take the copy for the recording deletes the original, which may still come back: from a backup, or in a store that is late.
        if arrived == copy, tenant.keepsOriginals, job.errors < Self.triesForOriginal {
            throw JobStop(outcome: .retry(.storageUnavailable, after: ExportRecordings.patience), cause: "original missing")
        }
        let checked = try await whileThere(job) {
            try await folders.withFolder(of: job) { folder in
                try await check(job, entry.facts, at: arrived, facts, isCopy: arrived == copy, tenant, vault, in: folder)
            }
        }
        let isOriginalKept = checked.copy?.isOriginalKept ?? true
        let waveform = try vault.seal(checked.waveform, .waveform, row: object, replacing: 0)
        do throws(ObjectStoreError) {
            if arrived != staging {
                // Left by a try that ended between the two steps of a promotion, or by a late upload.
                try await objects.delete(staging)
            } else if isOriginalKept {
                try await objects.promote(staging, to: final, sealedBy: vault.key, sha256: checked.sha256)
            }
        } catch {
            await deleteUnreferenced(checked, of: job.owner)
            throw error
        }
        let finished = try await ResultWriting(keys: keys, owner: job.owner).run {
            try await store.finishVerify(
                job, facts: checked.media, size: checked.size, sha256: checked.sha256,
                rendition: NewRendition(copy: checked.copy, isCopyHeard: checked.isCopyHeard, waveform: waveform))
        } refused: {
            // No row names the copy. Where that is not certain it stays, and the sweeper collects it if it is an orphan.
            await deleteUnreferenced(checked, of: job.owner)
        }
        if finished.isGone {
            // The deletion came before the promotion, and found nothing at the final key. What cannot be deleted now is an orphan.
            let recording = RecordingObjects(original: object, copy: checked.copy?.object)
            _ = try? await objects.delete(recording.keys(of: job.owner))
        } else if !finished.isWritten {
            // The entry went into the trash meanwhile: its row does not know the copy, and a restoration needs the original, which is sealed
            // for as long as it waits there.
            await deleteUnreferenced(checked, of: job.owner)
            if arrived == staging, !isOriginalKept {
                try? await objects.promote(staging, to: final, sealedBy: vault.key, sha256: checked.sha256)
            }
        } else if !isOriginalKept {
            // What cannot be deleted now is an orphan, too.
            for key in [staging, final] { try? await objects.delete(key) }
        }
        return finished.next
    }

    /// Seconds between two looks whether the entry is still there.
    private static let lookSeconds = 5

    /// Hours of sound take minutes to check; the work ends with the entry, and a later try finds it gone.
    private func whileThere<Value: Sendable>(
        _ job: LeasedJob, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // Unstructured: a deletion ends this work alone, not the job's end.
        let working = Task { try await work() }
        let watching = Task { [store] in
            while (try? await Task.sleep(for: .seconds(Self.lookSeconds))) != nil {
                if let isThere = try? await store.isThere(job), !isThere { working.cancel() }
            }
        }
        defer { watching.cancel() }
        return try await withTaskCancellationHandler {
            try await working.value
        } onCancel: {
            working.cancel()
        }
    }

    private struct Checked: Sendable {
        var media: MediaFacts
        var size: Int64
        var sha256: [UInt8]
        var waveform: Waveform
        /// Stored, and named by no row yet.
        var copy: PlayableCopy?
        var isCopyHeard = false
        /// The copy was stored before this try, which checked it in the place of its original.
        var isFound = false
    }

    /// A recording in the job's folder, and the type that programs read it as.
    private struct Source: Sendable {
        let file: RecordingFile
        let contentType: String
        let folder: String
    }

    private func check(
        _ job: LeasedJob, _ entry: EntryFacts, at key: ObjectKey, _ stored: ObjectFacts, isCopy: Bool, _ tenant: TenantConfiguration,
        _ vault: Vault, in folder: String
    ) async throws -> Checked {
        guard let contentType = isCopy ? PlayableCopy.format.rawValue : entry.contentType else { throw JobStop.discard(.uploadMissing) }
        let recording = try await open(key, stored, declared: isCopy ? nil : entry.sha256, vault, in: folder)
        let source = Source(file: recording, contentType: contentType, folder: folder)
        let (media, stated, rendered) = try await render(source, for: job, tenant)
        var checked = Checked(media: media, size: recording.size, sha256: recording.sha256, waveform: rendered.waveform)
        if isCopy {
            checked.copy = PlayableCopy(object: key.object, sizeBytes: recording.size, sha256: recording.sha256, isOriginalKept: false)
            checked.isFound = true
            // What was announced is all that is known of the original.
            checked.size = entry.sizeBytes ?? recording.size
            checked.sha256 = entry.sha256 ?? recording.sha256
        } else if let copy = rendered.copy {
            // A copy whose length is not that of the packets does not take the original's place.
            var isOriginalKept = tenant.keepsOriginals
            if !isOriginalKept {
                let measured = media.isMeasured ? stated : try await inspect(source, isMeasured: true).durationSeconds
                isOriginalKept = abs(measured - rendered.durationSeconds) > MediaFacts.tolerance
            }
            checked.isCopyHeard = rendered.isCopyHeard
            checked.copy = try await keep(copy, of: key.object, isOriginalKept: isOriginalKept, vault)
        }
        return checked
    }

    /// The recording in the folder, with the bytes that were announced.
    private func open(
        _ key: ObjectKey, _ stored: ObjectFacts, declared: [UInt8]?, _ vault: Vault, in folder: String
    ) async throws -> RecordingFile {
        let recording = try await RecordingFile.open(key, stored, from: objects, with: vault.key, in: folder)
        guard recording.size == stored.size else { throw JobStop.retry(.storageUnavailable, cause: "short read") }
        if let declared, declared != recording.sha256 {
            // In a bucket the upload is not sealed yet. A second read tells a wrong upload from a service that returned wrong bytes.
            let again = try await RecordingFile.open(key, stored, from: objects, with: vault.key, in: folder)
            guard again.sha256 == recording.sha256 else { throw JobStop.retry(.storageUnavailable, cause: "two reads differ") }
            throw JobStop.discard(.uploadHashMismatch)
        }
        return recording
    }

    /// - Returns: facts with the length that was heard, and the length that was stated or measured before.
    private func render(
        _ source: Source, for job: LeasedJob, _ tenant: TenantConfiguration
    ) async throws -> (media: MediaFacts, stated: Double, rendered: RenderedRecording) {
        var media = try await inspect(source, isMeasured: false)
        // What a header states refuses nothing.
        if !media.isMeasured, media.durationSeconds > tenant.maxAudioSeconds(within: limits) {
            media = try await inspect(source, isMeasured: true)
        }
        try check(media.durationSeconds, tenant)
        let isCopied = AudioFormat(contentType: source.contentType)?.isPlayable != true || media.codec != "aac" || media.contentType != nil
        var rendered: RenderedRecording
        if let made = try await render(source, media, for: job, isCopied: isCopied) {
            rendered = made
        } else {
            media = try await inspect(source, isMeasured: true)
            try check(media.durationSeconds, tenant)
            guard let made = try await render(source, media, for: job, isCopied: isCopied) else { throw JobStop.discard(.mediaUnreadable) }
            rendered = made
        }
        if !media.isMeasured, abs(media.durationSeconds - rendered.durationSeconds) > MediaFacts.tolerance {
            media = try await inspect(source, isMeasured: true)
            if abs(media.durationSeconds - rendered.durationSeconds) > MediaFacts.tolerance,
                let made = try await render(source, media, for: job, isCopied: isCopied)
            {
                rendered = made
            }
        }
        let stated = media.durationSeconds
        media.durationSeconds = rendered.durationSeconds
        try check(media.durationSeconds, tenant)
        return (media, stated, rendered)
    }

    /// nil for a recording that is far longer than its stated length.
    private func render(
        _ source: Source, _ media: MediaFacts, for job: LeasedJob, isCopied: Bool
    ) async throws -> RenderedRecording? {
        // The claim estimated the cost from the bytes; hours of silence are few bytes and much work.
        let cost = JobCost.verify(bytes: source.file.size, seconds: media.durationSeconds, isCopied: isCopied)
        if !job.isLong, JobCost.isLong(cost) { throw JobStop(outcome: .underestimated(cost: cost)) }
        do throws(ProviderFailure) {
            return try await renderer.render(source.file.path, contentType: source.contentType, facts: media, folder: source.folder)
        } catch {
            if error.cause == MediaFacts.tooShort, !media.isMeasured { return nil }
            throw error
        }
    }

    private func inspect(_ source: Source, isMeasured: Bool) async throws -> MediaFacts {
        try await probe.inspect(source.file.path, contentType: source.contentType, folder: source.folder, isMeasured: isMeasured)
    }

    private func check(_ seconds: Double, _ tenant: TenantConfiguration) throws(JobStop) {
        guard seconds.isFinite, seconds >= 0 else { throw .discard(.mediaUnreadable) }
        guard seconds <= tenant.maxAudioSeconds(within: limits) else { throw .discard(.mediaTooLong) }
    }

    /// Stores the copy under a key of its own: the one that follows from the original's, and another one when an earlier try has taken that. An object
    /// is never overwritten.
    private func keep(_ path: String, of original: UUID, isOriginalKept: Bool, _ vault: Vault) async throws -> PlayableCopy {
        do {
            let object = try await free(PlayableCopy.object(of: original), of: vault.owner) ?? UUIDv7.make(at: clock.now())
            let (file, size) = try await BlockingWork.run {
                let file = try UnlinkedTempFile(taking: path)
                return (file, try file.size)
            }
            let sha256 = try await objects.put(
                ObjectKey(kind: .audio, owner: vault.owner, object: object), from: TempFileStream(file), length: size, sha256: nil,
                sealedBy: vault.key)
            try Failpoint.copyStored.hit()
            return PlayableCopy(object: object, sizeBytes: size, sha256: sha256, isOriginalKept: isOriginalKept)
        } catch is ZipError {
            throw JobStop.retry(.storageUnavailable, cause: "copy")
        }
    }

    /// - Returns: nil for an id that is taken.
    private func free(_ object: UUID, of owner: Owner) async throws(ObjectStoreError) -> UUID? {
        do {
            _ = try await objects.facts(ObjectKey(kind: .audio, owner: owner, object: object))
            return nil
        } catch .missing {
            return object
        } catch .damaged {
            return nil
        }
    }

    private func deleteUnreferenced(_ checked: Checked, of owner: Owner) async {
        guard let copy = checked.copy, !checked.isFound else { return }
        try? await objects.delete(ObjectKey(kind: .audio, owner: owner, object: copy.object))
    }
}
