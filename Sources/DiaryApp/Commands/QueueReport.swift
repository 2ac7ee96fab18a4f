import DiaryCore
import FoundationEssentials

/// Counts of jobs and the workers, as `diary jobs stats` prints them.
struct QueueReport {
    var counts: [JobCount]
    var workers: [WorkerOverview]
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

    private struct Stats: Encodable {
        let jobs: [CountRow]
        let workers: [WorkerRow]
    }

    func show(json: Bool) throws {
        let rows = counts.map(row).sorted { ($0.queue ?? "", $0.kind, $0.state) < ($1.queue ?? "", $1.kind, $1.state) }
        let processes = workers.map { worker in
            WorkerRow(
                name: worker.name, version: worker.version, started_at: JobReport.text(worker.startedAt),
                seen_at: JobReport.text(worker.seenAt), alive: worker.isAlive)
        }
        if json { return try CommandOutput.json(Stats(jobs: rows, workers: processes)) }
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
        if !processes.contains(where: \.alive) {
            print("no worker is alive: none has reported itself for \(Int(WorkerIdentity.aliveSeconds)) seconds")
        }
    }

    private func row(_ count: JobCount) -> CountRow {
        CountRow(
            queue: JobCatalogue.diary[count.kind]?.queue.rawValue, kind: count.kind.rawValue, state: count.state, jobs: count.jobs,
            due: count.due, oldest_due: count.oldestDue.map(JobReport.text),
            oldest_due_seconds: count.oldestDue.map { max(0, Int(now.timeIntervalSince($0))) })
    }
}
