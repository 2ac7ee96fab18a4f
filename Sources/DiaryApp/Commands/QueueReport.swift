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
        for row in rows {
            let waits = row.oldest_due_seconds.map { ", \(row.due) due, the oldest for \($0) s" } ?? ""
            print("\(row.queue ?? "-")/\(row.kind)  \(row.state)  \(row.jobs)\(waits)")
        }
        if rows.isEmpty { print("no jobs; \(JobReport.retention)") }
        for worker in processes {
            let state = worker.alive ? "alive" : "silent since \(worker.seen_at)"
            print("worker \(worker.name)  \(worker.version)  since \(worker.started_at)  \(state)")
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
