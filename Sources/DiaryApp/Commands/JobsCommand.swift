import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryRedis

struct JobsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Shows the queue (which jobs wait, run, or failed permanently, and why), tries jobs again, and holds queues.",
        discussion: "Connects as diary_admin. Prints ids, kinds, states, times and codes; nothing that a user wrote or said.",
        subcommands: [List.self, Show.self, Stats.self, Retry.self, Pause.self, Resume.self, Drain.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists jobs, newest first. With --entry it also says how far the entry is: why was it not transcribed?",
            discussion: "States: ready (waits for a worker or for its next try), leased (runs), done, dead (failed permanently).")

        @Option(help: "Jobs of this entry.")
        var entry: String?

        @Option(help: "Jobs of this user.")
        var user: String?

        @Option(help: "Jobs of this app, by its slug.")
        var tenant: String?

        @Option(help: "Jobs in this state: ready, leased, done or dead. May be given several times.")
        var state: [String] = []

        @Option(help: "The largest number of jobs.")
        var limit = 50

        @Flag(help: "Print JSON: \(JobReport.form.shape).")
        var json = false

        private static let states = ["ready", "leased", "done", "dead"]

        func validate() throws {
            if let entry, EntryID(entry) == nil { throw ValidationError("--entry must be an id") }
            if let user, DiaryCore.UserID(user) == nil { throw ValidationError("--user must be an id") }
            for state in state where !Self.states.contains(state) {
                throw ValidationError("--state must be one of \(Self.states.joined(separator: ", "))")
            }
            guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000") }
        }

        func run() async throws {
            let jobs = try JobsCommand.administration()
            let id = entry.flatMap { EntryID($0) }
            var filter = JobFilter(
                subject: id?.uuid, user: user.flatMap { DiaryCore.UserID($0) }, states: state.isEmpty ? nil : state, limit: limit)
            if let tenant { filter.tenant = try await TenantCommand.tenant(tenant).id }
            var entries: [EntryProgress] = []
            if let id {
                entries = try await jobs.entries(id).filter { filter.matches($0.owner) }
                guard !entries.isEmpty else {
                    throw CommandFailure("there is no such entry: it was never made, or its account was erased")
                }
            }
            let workersAlive = try await jobs.workers().count { $0.isAlive }
            JobReport(jobs: try await jobs.jobs(filter), entries: entries, entry: id, workersAlive: workersAlive).show(json: json)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one job.")

        @Argument(help: "The job's id, as in log lines and `diary jobs list`.")
        var id: String

        @Flag(help: "Print JSON: \(JobReport.jobForm.shape).")
        var json = false

        func validate() throws {
            guard JobID(id) != nil else { throw ValidationError("must be a job's id") }
        }

        func run() async throws {
            let jobs = try JobsCommand.administration()
            guard let job = try await jobs.jobs(JobFilter(job: JobID(id), limit: 1)).first else {
                throw CommandFailure("there is no such job: it was never made, or it ended and was removed (\(JobReport.retention))")
            }
            JobReport(jobs: [job], workersAlive: try await jobs.workers().count { $0.isAlive }).showOne(json: json)
        }
    }

    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Counts jobs by queue, kind and state, and lists the workers.",
            discussion: "`due` are the jobs that could run now; the oldest of them shows how far the workers are behind.")

        @Flag(help: "Print JSON: \(QueueReport.form.shape).")
        var json = false

        func run() async throws {
            let jobs = try JobsCommand.administration()
            QueueReport(
                counts: try await jobs.counts(), workers: try await jobs.workers(), paused: try await jobs.paused(),
                engines: await Self.engines(), slugs: try await Self.slugs(), stranded: try await jobs.stranded()
            ).show(json: json)
        }

        /// nil without Redis, where the workers keep this.
        private static func engines() async -> [OpenBreaker]? {
            guard let endpoint = try? Environment.process.read(Settings.redis) else { return nil }
            let client = RedisClient(endpoint: endpoint, logger: AdminDatabase.logger)
            let open = try? await RedisBreakers.open(on: client)
            client.close()
            return open
        }

        private static func slugs() async throws -> [TenantID: String] {
            Dictionary(try await TenantCommand.administration().all().map { ($0.id, $0.slug) }) { first, _ in first }
        }
    }

    static func administration() throws -> PostgresJobAdministration {
        PostgresJobAdministration(pool: try AdminDatabase.pool())
    }
}

extension JobFilter {
    /// Whether rows of this owner are asked for.
    fileprivate func matches(_ owner: Owner) -> Bool {
        (user.map { $0 == owner.user } ?? true) && (tenant.map { $0 == owner.tenant } ?? true)
    }
}
