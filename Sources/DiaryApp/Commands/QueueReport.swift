import DiaryCore
import FoundationEssentials

/// Counts of jobs and the workers, as `diary jobs stats` prints them.
struct QueueReport: Sendable {
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

    struct Count: Sendable {
        let count: JobCount
        /// nil for a kind of another version.
        let queue: String?
        let seconds: Int?
    }

    struct Engine: Sendable {
        /// nil for the process's own engines, which all apps share.
        let tenant: String?
        let breaker: OpenBreaker

        var key: EngineKey { breaker.engine }
        var seconds: Int { Int(breaker.seconds.rounded(.up)) }
    }

    private static let countForm = ReportForm<Count>(
        .member("queue") { $0.queue },
        .member("kind") { $0.count.kind.rawValue },
        .column("kind") { "\($0.queue ?? "other")/\($0.count.kind.rawValue)" },
        .field("state") { $0.count.state },
        .field("jobs") { $0.count.jobs },
        .field("due") { $0.count.due },
        .member("oldest_due") { $0.count.oldestDue },
        .member("oldest_due_seconds") { $0.seconds },
        .column("oldest due for") { $0.seconds.map { "\($0) s" } ?? "" })

    private static let workerForm = ReportForm<WorkerOverview>(
        .field("name", column: "worker") { $0.name },
        .field("version") { $0.version },
        .field("started_at", column: "since") { $0.startedAt },
        .member("seen_at") { $0.seenAt },
        .member("alive") { $0.isAlive },
        .column("state") { $0.isAlive ? "alive" : "silent since \($0.seenAt.text)" })

    private static let pausedForm = ReportForm<PausedWork>(
        .member("queue") { $0.queue.rawValue },
        .member("tenant", orNull: true) { $0.slug },
        .member("since") { $0.at },
        .member("operator") { $0.operator })

    private static let engineForm = ReportForm<Engine>(
        .member("tenant", orNull: true) { $0.tenant },
        .member("stage") { $0.key.stage.rawValue },
        .member("name") { $0.key.name },
        // Refused: it does not accept the service's key or settings.
        .member("state") { $0.breaker.isRefused ? "refused" : "failing" },
        .member("failures") { $0.breaker.failures },
        .member("next_attempt_seconds") { $0.seconds })

    static let form = ReportForm<QueueReport>(
        .list("jobs", countForm) { $0.countRows },
        .list("workers", workerForm) { $0.workers },
        .list("paused", pausedForm) { $0.paused },
        .list("engines", engineForm) { $0.engineRows },
        .member("entries_without_job") { $0.stranded })

    private var countRows: [Count] {
        counts.map { count in
            Count(
                count: count, queue: JobCatalogue.diary[count.kind]?.queue.rawValue,
                seconds: count.oldestDue.map { max(0, Int(now.timeIntervalSince($0))) })
        }
        .sorted { ($0.queue ?? "", $0.count.kind.rawValue, $0.count.state) < ($1.queue ?? "", $1.count.kind.rawValue, $1.count.state) }
    }

    private var engineRows: [Engine]? {
        engines?.map { breaker in Engine(tenant: breaker.engine.app.map { slugs[$0] ?? $0.description }, breaker: breaker) }
            .sorted { ($0.tenant ?? "", $0.key.stage.rawValue, $0.key.name) < ($1.tenant ?? "", $1.key.stage.rawValue, $1.key.name) }
    }

    func show(json: Bool) {
        if json { return Self.form.show(json: self) }
        if counts.isEmpty { print("no jobs; \(JobReport.retention)") } else { Self.countForm.table(countRows).show() }
        if !workers.isEmpty {
            print()
            Self.workerForm.table(workers).show()
        }
        for row in paused { print("\(row.queue)\(row.slug.map { " of \($0)" } ?? "") is paused since \(row.at.text) by \(row.operator)") }
        for row in engineRows ?? [] { print(Self.text(row)) }
        if engines == nil { print("engines: not known without Redis") }
        if stranded > 0 { print("\(stranded) entries wait without a job: workers make one for each every few minutes") }
        if !workers.contains(where: \.isAlive) {
            print("no worker is alive: none has reported itself for \(Int(WorkerIdentity.aliveSeconds)) seconds")
        }
    }

    private static func text(_ row: Engine) -> String {
        let again = row.seconds > 0 ? "asked again in \(row.seconds) s" : "asked again by one job"
        let fault = row.breaker.isRefused ? "refuses the service: key or settings are wrong" : "fails"
        let owner = row.tenant.map { "of \($0)" } ?? "of all apps"
        return "engine \(row.key.name) (\(row.key.stage.rawValue), \(owner)) \(fault); \(again)"
    }
}
