import DiaryCore
import FoundationEssentials

/// Jobs, and the entry they are about, as `diary jobs list` and `diary jobs show` print them.
struct JobReport: Sendable {
    /// `sweep_jobs` of the schema.
    static let retention = "done jobs are removed after 7 days, given-up ones after 30"

    var jobs: [JobOverview]
    var entries: [EntryProgress] = []
    /// The id that `entries` have.
    var entry: EntryID?
    var workersAlive: Int
    var now = Date()

    struct JobRow: Sendable {
        let job: JobOverview
        /// nil for a kind of another version.
        let descriptor: JobDescriptor?
        /// The state as a sentence.
        let says: String
    }

    struct EntryRow: Sendable {
        let id: EntryID
        let progress: EntryProgress
    }

    static let jobForm = ReportForm<JobRow>(
        .field("id", column: "job") { $0.job.id.description },
        .member("queue") { $0.descriptor?.queue.rawValue },
        .member("kind") { $0.job.kind.rawValue },
        .column("kind") { "\($0.descriptor?.queue.rawValue ?? "other")/\($0.job.kind.rawValue)" },
        .field("state") { $0.job.state },
        .field("tenant", column: "app") { $0.job.slug },
        .member("user") { $0.job.owner.user.description },
        // `entry`, `export` or `mail`.
        .member("about") { $0.descriptor?.subject.name },
        .member("subject") { $0.job.subject.lowercaseText },
        .column("about") { "\($0.descriptor?.subject.name ?? "about") \($0.job.subject.lowercaseText)" },
        .member("attempts") { $0.job.attempts },
        .member("errors") { $0.job.errors },
        .member("crashes") { $0.job.crashes },
        .member("code") { $0.job.code },
        .member("run_at") { $0.job.runAt },
        .member("lease_until") { $0.job.leaseUntil },
        .member("leased_by") { $0.job.leasedBy },
        .member("created_at") { $0.job.createdAt },
        .member("finished_at") { $0.job.finishedAt },
        .field("says", column: "what it does") { $0.says })

    private static let entryForm = ReportForm<EntryRow>(
        .member("id") { $0.id.description },
        .member("tenant") { $0.progress.slug },
        .member("user") { $0.progress.owner.user.description },
        .member("kind") { $0.progress.kind.rawValue },
        .member("status") { $0.progress.status.rawValue },
        .member("stage") { $0.progress.stage },
        .member("attempt") { $0.progress.attempt },
        .member("code") { $0.progress.code },
        .member("next_attempt_at") { $0.progress.nextAttemptAt },
        .member("created_at") { $0.progress.createdAt },
        .member("uploaded_at") { $0.progress.uploadedAt },
        .member("deleted_at") { $0.progress.deletedAt })

    static let form = ReportForm<JobReport>(
        .list("entries", entryForm) { $0.entryRows },
        .list("jobs", jobForm) { $0.jobRows },
        .member("workers_alive") { $0.workersAlive },
        .member("note") { $0.note })

    private var jobRows: [JobRow] {
        jobs.map { JobRow(job: $0, descriptor: JobCatalogue.diary[$0.kind], says: says($0)) }
    }

    private var entryRows: [EntryRow] { entry.map { id in entries.map { EntryRow(id: id, progress: $0) } } ?? [] }

    func show(json: Bool) {
        if json { return Self.form.show(json: self) }
        for row in entryRows {
            let (id, entry) = (row.id, row.progress)
            let parts = [entry.stage.map { "stage \($0)" }, entry.code, entry.nextAttemptAt.map { "next try \($0.text)" }].compactMap { $0 }
            print("entry \(id)  \(entry.slug)  \(entry.kind.rawValue)  \(([entry.status.rawValue] + parts).joined(separator: ", "))")
        }
        if !jobs.isEmpty { Self.jobForm.table(jobRows).show() }
        if let note { print(note) }
    }

    /// The only job.
    func showOne(json: Bool) {
        guard let row = jobRows.first else { return }
        if json { return Self.jobForm.show(json: row) }
        let (job, descriptor) = (row.job, row.descriptor)
        print(
            """
            \(job.id)  \(job.state)
              \(row.says)
              queue     \(descriptor?.queue.rawValue ?? "of another version"), kind \(job.kind.rawValue)
              about     \(descriptor?.subject.name ?? "") \(job.subject.lowercaseText)
              owner     \(job.owner.user) of \(job.slug)
              tries     \(job.attempts) begun, \(job.errors) failed, \(job.crashes) crashed\(job.code.map { ", last code \($0)" } ?? "")
              made      \(job.createdAt.text)
            """)
        if let note { print(note) }
    }

    /// Explains what the rows alone do not show.
    var note: String? {
        if jobs.isEmpty {
            guard let entry = entries.first else { return "no jobs; \(Self.retention)" }
            if let at = entry.deletedAt { return "no jobs: the entry was deleted at \(at.text)" }
            if entry.kind == .text { return "no jobs: an entry that was written has none, unless its app wants texts described" }
            if entry.status == .awaitingUpload { return "no jobs yet: the recording has not been completed" }
            return "no jobs are kept: \(Self.retention)"
        }
        guard workersAlive == 0, jobs.contains(where: { $0.state == "ready" || $0.state == "leased" }) else { return nil }
        return "no worker is alive: none has reported itself for \(Int(WorkerIdentity.aliveSeconds)) seconds"
    }

    /// The state as a sentence.
    func says(_ job: JobOverview) -> String {
        let after = job.code.map { " after \($0)" } ?? ""
        let worker = job.leasedBy ?? "an unknown worker"
        let ended = (job.leaseUntil ?? job.finishedAt)?.text ?? "an unknown time"
        return switch job.state {
        case "ready" where job.runAt > now: "waits for its next try at \(job.runAt.text)\(after)"
        case "ready": "waits for a free worker since \(job.runAt.text)\(after)"
        case "leased" where (job.leaseUntil ?? now) < now:
            "was lost with \(worker); free for another worker soon, its lease ended at \(ended)"
        case "leased": "runs on \(worker)"
        case "done": "done at \(ended)"
        case "dead": "failed permanently at \(ended), failed tries: \(job.errors), crashes: \(job.crashes), code: \(job.code ?? "none")"
        default: "in a state of another version"
        }
    }
}
