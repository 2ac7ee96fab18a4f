import DiaryCore
import FoundationEssentials

/// Jobs, and the entry they are about, as `diary jobs list` and `diary jobs show` print them.
struct JobReport {
    /// `sweep_jobs` of the schema.
    static let retention = "done jobs are removed after 7 days, given-up ones after 30"

    var jobs: [JobOverview]
    var entries: [EntryProgress] = []
    /// The id that `entries` have.
    var entry: EntryID?
    var workersAlive: Int
    var now = Date()

    private struct JobRow: Encodable {
        let id: String
        let queue: String?
        let kind: String
        let state: String
        let tenant: String
        let user: String
        /// `entry`, `export` or `mail`; nil for a kind of another version.
        let about: String?
        let subject: String
        let attempts: Int
        let errors: Int
        let crashes: Int
        let code: String?
        let run_at: String
        let lease_until: String?
        let leased_by: String?
        let created_at: String
        let finished_at: String?
        let says: String
    }

    private struct EntryRow: Encodable {
        let id: String
        let tenant: String
        let user: String
        let kind: String
        let status: String
        let stage: String?
        let attempt: Int
        let code: String?
        let next_attempt_at: String?
        let created_at: String
        let uploaded_at: String?
        let deleted_at: String?
    }

    private struct List: Encodable {
        let entries: [EntryRow]
        let jobs: [JobRow]
        let workers_alive: Int
        let note: String?
    }

    func show(json: Bool) throws {
        let rows = jobs.map(row)
        if json {
            return try CommandOutput.json(
                List(entries: entries.map(row), jobs: rows, workers_alive: workersAlive, note: note))
        }
        for entry in entries.map(row) {
            let parts = [entry.stage.map { "stage \($0)" }, entry.code, entry.next_attempt_at.map { "next try \($0)" }].compactMap { $0 }
            print("entry \(entry.id)  \(entry.tenant)  \(entry.kind)  \(([entry.status] + parts).joined(separator: ", "))")
        }
        if !rows.isEmpty {
            var table = TextTable("job", "kind", "state", "app", "about", "what it does")
            for row in rows {
                table.add(
                    row.id, "\(row.queue ?? "other")/\(row.kind)", row.state, row.tenant, "\(row.about ?? "about") \(row.subject)", row.says
                )
            }
            table.show()
        }
        if let note { print(note) }
    }

    /// The only job.
    func showOne(json: Bool) throws {
        guard let row = jobs.first.map(row) else { return }
        if json { return try CommandOutput.json(row) }
        print("\(row.id)  \(row.state)")
        print("  \(row.says)")
        print("  queue     \(row.queue ?? "of another version"), kind \(row.kind)")
        print("  about     \(row.about ?? "") \(row.subject)")
        print("  owner     \(row.user) of \(row.tenant)")
        print(
            "  tries     \(row.attempts) begun, \(row.errors) failed, \(row.crashes) crashed\(row.code.map { ", last code \($0)" } ?? "")")
        print("  made      \(row.created_at)")
        if let note { print(note) }
    }

    /// Explains what the rows alone do not show.
    var note: String? {
        if jobs.isEmpty {
            guard let entry = entries.first else { return "no jobs; \(Self.retention)" }
            if let at = entry.deletedAt { return "no jobs: the entry was deleted at \(Self.text(at))" }
            if entry.kind == .text { return "no jobs: an entry that was written has none" }
            if entry.status == .awaitingUpload { return "no jobs yet: the recording has not been completed" }
            return "no jobs are kept: \(Self.retention)"
        }
        guard workersAlive == 0, jobs.contains(where: { $0.state == "ready" || $0.state == "leased" }) else { return nil }
        return "no worker is alive: none has reported itself for \(Int(WorkerIdentity.aliveSeconds)) seconds"
    }

    private func row(_ job: JobOverview) -> JobRow {
        let descriptor = JobCatalogue.diary[job.kind]
        return JobRow(
            id: job.id.description, queue: descriptor?.queue.rawValue, kind: job.kind.rawValue, state: job.state, tenant: job.slug,
            user: job.owner.user.description, about: descriptor?.subject.name, subject: job.subject.lowercaseText, attempts: job.attempts,
            errors: job.errors, crashes: job.crashes, code: job.code, run_at: Self.text(job.runAt),
            lease_until: job.leaseUntil.map(Self.text), leased_by: job.leasedBy, created_at: Self.text(job.createdAt),
            finished_at: job.finishedAt.map(Self.text), says: says(job))
    }

    private func row(_ progress: EntryProgress) -> EntryRow {
        EntryRow(
            id: entry?.description ?? "", tenant: progress.slug, user: progress.owner.user.description, kind: progress.kind.rawValue,
            status: progress.status.rawValue, stage: progress.stage, attempt: progress.attempt, code: progress.code,
            next_attempt_at: progress.nextAttemptAt.map(Self.text), created_at: Self.text(progress.createdAt),
            uploaded_at: progress.uploadedAt.map(Self.text), deleted_at: progress.deletedAt.map(Self.text))
    }

    /// The state as a sentence.
    func says(_ job: JobOverview) -> String {
        let after = job.code.map { " after \($0)" } ?? ""
        let worker = job.leasedBy ?? "an unknown worker"
        let ended = (job.leaseUntil ?? job.finishedAt).map(Self.text) ?? "an unknown time"
        return switch job.state {
        case "ready" where job.runAt > now: "waits for its next try at \(Self.text(job.runAt))\(after)"
        case "ready": "waits for a free worker since \(Self.text(job.runAt))\(after)"
        case "leased" where (job.leaseUntil ?? now) < now:
            "was lost with \(worker); free for another worker soon, its lease ended at \(ended)"
        case "leased": "runs on \(worker)"
        case "done": "done at \(ended)"
        case "dead": "failed permanently at \(ended), failed tries: \(job.errors), crashes: \(job.crashes), code: \(job.code ?? "none")"
        default: "in a state of another version"
        }
    }

    static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
