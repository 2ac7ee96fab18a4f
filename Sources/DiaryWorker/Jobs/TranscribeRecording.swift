package import DiaryCore
import DiaryCrypto
import FoundationEssentials

/// Turns a verified recording into words with their times.
package struct TranscribeRecording: Job {
    package let kind = JobKind.transcribe
    let store: any TranscriptionStore
    let objects: any ObjectStore
    let keys: DataKeys
    let recognizer: any SpeechRecognizer
    let folders: JobFolders

    package func run(_ job: LeasedJob) async throws(JobStop) -> JobKind? {
        let entry = try await store.begin(job)
        try Failpoint.claimed.pass()
        let vault = Vault(key: try await keys.open(job.owner), owner: job.owner)
        let language = try await language(of: entry.facts, job)
        let transcript = try await recognize(entry.facts, in: language, job, vault.key)
        try Failpoint.recognitionAnswered.pass()

        let row = entry.facts.id.uuid
        let version = entry.machine?.version ?? 0
        let machine = try vault.seal(MachinePart(raw: transcript.text), .machine, row: row, replacing: version)
        let segments = try vault.seal(transcript.segments, .segments, row: row, replacing: version)
        try Failpoint.rawBeforeCommit.pass()
        let next = try await ResultWriting(keys: keys, owner: job.owner).run { () async throws(WorkError) in
            try await store.finishTranscribe(job, machine: machine, segments: segments, language: transcript.language)
        }
        try Failpoint.rawAfterCommit.pass()
        return next
    }

    /// What the client named, else what the profile says; nil when the recogniser is to find out.
    private func language(of facts: EntryFacts, _ job: LeasedJob) async throws(JobStop) -> String? {
        var profile: [String] = []
        if facts.language == nil {
            do throws(WorkError) { profile = try await store.languages(of: job.owner) } catch { throw JobStop(beginning: error) }
        }
        switch recognizer.languages.choose(entry: facts.language, profile: profile) {
        case .recognize(let language): return language
        case .unsupported: throw .discard(.languageUnsupported)
        }
    }

    private func recognize(
        _ facts: EntryFacts, in language: String?, _ job: LeasedJob, _ dataKey: DataKey
    ) async throws(JobStop) -> RawTranscript {
        guard let object = facts.object, let contentType = facts.contentType else { throw .discard(.uploadMissing) }
        // Stored by the verify job, in the transaction that made this job.
        guard let duration = facts.durationSeconds else { throw .discard(.unexpected) }
        let key = ObjectKey(kind: .audio, owner: job.owner, object: object)
        let stored: ObjectFacts
        do throws(ObjectStoreError) {
            stored = try await objects.facts(key)
        } catch .missing {
            // It was there when it was verified: the store is incomplete at the moment (a disk not mounted, a restore under way).
            throw .retry(.storageUnavailable, cause: "recording missing")
        } catch {
            throw JobStop(error)
        }
        return try await folders.withFolder(of: job) { folder async throws(JobStop) in
            let recording = try await RecordingFile.open(key, stored, from: objects, with: dataKey, in: folder)
            if let verified = facts.sha256, verified != recording.sha256 {
                throw .retry(.storageUnavailable, cause: "recording differs from what was verified")
            }
            try Failpoint.downloaded.pass()
            try Failpoint.decoding.pass()
            try Failpoint.recognitionSent.pass()
            do throws(ProviderFailure) {
                let verified = VerifiedRecording(
                    path: recording.path, folder: folder, contentType: contentType, durationSeconds: duration)
                return try await recognizer.transcribe(verified, language: language)
            } catch {
                throw JobStop(error)
            }
        }
    }
}
