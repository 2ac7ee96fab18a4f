import ArgumentParser
import DiaryCore
import DiaryDatabase

extension JobsCommand {
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries jobs again that have failed permanently or wait for a later time: one by its id, or all of them.",
            discussion: """
                A job that waits, such as for an engine or for a limit that has been raised, runs now; its tries stay as they are counted. \
                Of a failed one tries are counted anew; the entry or export waits again, and its owner sees that; an entry that had its \
                texts before a failed `reprocess` keeps them meanwhile, and the chain is asked, not the engine that was named then. \
                Workers take it within seconds. Passed over are jobs of deleted entries, of entries that their owners retried, and mails \
                that failed, whose words are not kept. \
                JSON is \(Self.form.shape).
                """)

        private static let form = ReportForm<[RetriedJob]>(
            .member("retried") { $0.count(where: \.isReady) },
            .member("passed_over") { $0.count { !$0.isReady } },
            .list("jobs", jobForm) { $0 })

        private static let jobForm = ReportForm<RetriedJob>(
            .member("id") { $0.id.description }, .member("kind") { $0.kind.rawValue }, .member("retried") { $0.isReady })

        @Argument(help: "The job's id, as in log lines and `diary jobs list`.")
        var id: String?

        @Flag(help: "All jobs that have failed permanently.")
        var failed = false

        @Flag(help: "All jobs that wait for a later time.")
        var waiting = false

        @Option(help: "With --failed or --waiting: those with this code, e.g. speech_unavailable or budget_exceeded.")
        var code: String?

        @Option(help: "With --failed or --waiting: those of this app, by its slug.")
        var tenant: String?

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            guard [id != nil, failed, waiting].count(where: { $0 }) == 1 else {
                throw ValidationError("give a job's id, --failed or --waiting")
            }
            if let id, JobID(id) == nil { throw ValidationError("must be a job's id") }
            if id != nil, code != nil || tenant != nil { throw ValidationError("--code and --tenant need --failed or --waiting") }
        }

        func run() async throws {
            let jobs = try JobsCommand.administration()
            var filter = RetryFilter(job: id.flatMap { JobID($0) }, code: code)
            if let tenant { filter.tenant = try await TenantCommand.tenant(tenant).id }
            let who = try admin.who()
            var retried: [RetriedJob] = []
            if !waiting { retried = try await JobsCommand.retry(filter, jobs, by: who) }
            if waiting || id != nil && retried.isEmpty { retried = try await JobsCommand.hasten(filter, jobs, by: who) }
            if let id, retried.isEmpty {
                throw CommandFailure(
                    "there is no failed job \(id) and none that waits for a later time: never made, running, about to run, or removed")
            }
            let ready = retried.count(where: \.isReady)
            let passed = ready < retried.count ? ", \(retried.count - ready) passed over" : ""
            Self.form.show(retried, json: admin.json, or: "\(ready) jobs are tried again\(passed)")
        }
    }

    /// Jobs in one transaction, each of which holds its account's lock until the end.
    private static let page = 100

    private static func retry(_ filter: RetryFilter, _ jobs: PostgresJobAdministration, by who: String) async throws -> [RetriedJob] {
        try await pages { last in try await jobs.retry(filter, after: last, limit: page, by: who) }
    }

    static func hasten(_ filter: RetryFilter, _ jobs: PostgresJobAdministration, by who: String) async throws -> [RetriedJob] {
        try await pages { last in try await jobs.hasten(filter, after: last, limit: page, by: who) }
    }

    private static func pages(_ next: (_ last: JobID?) async throws -> [RetriedJob]) async throws -> [RetriedJob] {
        var all: [RetriedJob] = []
        var read: [RetriedJob] = []
        repeat {
            read = try await next(all.last?.id)
            all += read
        } while read.count >= page
        return all
    }
}
