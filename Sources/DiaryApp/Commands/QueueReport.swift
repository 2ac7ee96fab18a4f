import DiaryCore
import FoundationEssentials

/// Counts of jobs and the workers, as `diary jobs stats` prints them.
struct QueueReport {
    var counts: [JobCount]
    var workers: [WorkerOverview]
    var paused: [PausedWork] = []
    /// Engines that are not asked at the moment; nil when it is not known.
    var engines: [OpenBreaker]? = []
    /// Slugs of the apps that `engines` belong to.
    var slugs: [TenantID: String] = [:]
    /// Entries that wait without a job.
    var stranded = 0
    var now = Date()

    private struct CountRow: Encodable {
        /// nil for a kind of another version.
        let queue: String?
        let kind: String
        let state: String
        let jobs: Int
        let due: Int
        let oldest_due: String?
        let oldest_due_seconds: Int?
    }

    private struct WorkerRow: Encodable {
        let name: String
        let version: String
        let started_at: String
        let seen_at: String
        let alive: Bool
    }

    private struct PausedRow: Encodable {
        let queue: String
        /// nil for all apps.
        @OrNull var tenant: String?
        let since: String
        let `operator`: String
    }

    private struct EngineRow: Encodable {
        /// nil for the process's own engines, which all apps share.
        @OrNull var tenant: String?
        let stage: String
        let name: String
        /// `failing`, or `refused`: it does not accept the service's key or settings.
        let state: String
        let failures: Int
        let next_attempt_seconds: Int
    }

    private struct Stats: Encodable {
        let jobs: [CountRow]
        let workers: [WorkerRow]
        let paused: [PausedRow]
        let engines: [EngineRow]?
        let entries_without_job: Int
    }

    func show(json: Bool) throws {
        let rows = counts.map(row).sorted { ($0.queue ?? "", $0.kind, $0.state) < ($1.queue ?? "", $1.kind, $1.state) }
        let processes = workers.map { worker in
            WorkerRow(
                name: worker.name, version: worker.version, started_at: JobReport.text(worker.startedAt),
                seen_at: JobReport.text(worker.seenAt), alive: worker.isAlive)
        }
        let held = paused.map {
            PausedRow(queue: $0.queue.rawValue, tenant: $0.slug, since: JobReport.text($0.at), operator: $0.operator)
        }
        let open = engines?.map(row).sorted { ($0.tenant ?? "", $0.stage, $0.name) < ($1.tenant ?? "", $1.stage, $1.name) }
        if json {
            return try CommandOutput.json(
                Stats(jobs: rows, workers: processes, paused: held, engines: open, entries_without_job: stranded))
        }
        if rows.isEmpty {
            print("no jobs; \(JobReport.retention)")
        } else {
            var table = TextTable("kind", "state", "jobs", "due", "oldest due for")
            for row in rows {
                table.add(
                    "\(row.queue ?? "other")/\(row.kind)", row.state, String(row.jobs), String(row.due),
                    row.oldest_due_seconds.map { "\($0) s" } ?? "")
            }
            table.show()
        }
        if !processes.isEmpty {
            print()
            var table = TextTable("worker", "version", "since", "state")
            for worker in processes {
                table.add(worker.name, worker.version, worker.started_at, worker.alive ? "alive" : "silent since \(worker.seen_at)")
            }
            table.show()
        }
        for row in held { print("\(row.queue)\(row.tenant.map { " of \($0)" } ?? "") is paused since \(row.since) by \(row.operator)") }
        for row in open ?? [] {
            let again = row.next_attempt_seconds > 0 ? "asked again in \(row.next_attempt_seconds) s" : "asked again by one job"
            let fault = row.state == "refused" ? "refuses the service: key or settings are wrong" : "fails"
            print("engine \(row.name) (\(row.stage), \(row.tenant.map { "of \($0)" } ?? "of all apps")) \(fault); \(again)")
        }
        if open == nil { print("engines: not known without Redis") }
        if stranded > 0 { print("\(stranded) entries wait without a job: workers make one for each every few minutes") }
        if !processes.contains(where: \.alive) {
            print("no worker is alive: none has reported itself for \(Int(WorkerIdentity.aliveSeconds)) seconds")
        }
    }

    private func row(_ breaker: OpenBreaker) -> EngineRow {
        EngineRow(
            tenant: breaker.engine.app.map { slugs[$0] ?? $0.description }, stage: breaker.engine.stage.rawValue,
            name: breaker.engine.name, state: breaker.isRefused ? "refused" : "failing", failures: breaker.failures,
            next_attempt_seconds: Int(breaker.seconds.rounded(.up)))
    }

    private func row(_ count: JobCount) -> CountRow {
        CountRow(
            queue: JobCatalogue.diary[count.kind]?.queue.rawValue, kind: count.kind.rawValue, state: count.state, jobs: count.jobs,
            due: count.due, oldest_due: count.oldestDue.map(JobReport.text),
            oldest_due_seconds: count.oldestDue.map { max(0, Int(now.timeIntervalSince($0))) })
    }
}
