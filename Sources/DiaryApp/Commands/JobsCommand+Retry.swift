import ArgumentParser
import DiaryCore
import DiaryDatabase

extension JobsCommand {
    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries jobs again that have failed permanently: one by its id, or all of them.",
            discussion: """
                Tries are counted anew; the entry or export waits again, and its owner sees that; an entry that had its texts before a failed `reprocess` keeps them meanwhile, and the chain is \
                asked, not the engine that was named then. Workers take it within seconds. Passed over are jobs of deleted entries, of \
                entries that their owners retried, and mails, whose words are not kept. JSON is {retried, passed_over, jobs: [{id, kind, retried}]}.
                """)

        @Argument(help: "The job's id, as in log lines and `diary jobs list`.")
        var id: String?

        @Flag(help: "All jobs that have failed permanently.")
        var failed = false

        @Option(help: "With --failed: those with this code, e.g. speech_unavailable.")
        var code: String?

        @Option(help: "With --failed: those of this app, by its slug.")
        var tenant: String?

        @OptionGroup var admin: AdminOptions

        /// Jobs in one transaction, each of which holds its account's lock until the end.
        private static let page = 100

        func validate() throws {
            guard (id != nil) != failed else { throw ValidationError("give a job's id or --failed") }
            if let id, JobID(id) == nil { throw ValidationError("must be a job's id") }
            if !failed, code != nil || tenant != nil { throw ValidationError("--code and --tenant need --failed") }
        }

        func run() async throws {
            let jobs = try JobsCommand.administration()
            var filter = RetryFilter(job: id.flatMap { JobID($0) }, code: code)
            if let tenant { filter.tenant = try await TenantCommand.tenant(tenant).id }
            let who = try admin.who()
            var retried: [RetriedJob] = []
            var page: [RetriedJob] = []
            repeat {
                page = try await jobs.retry(filter, after: page.last?.id, limit: Self.page, by: who)
                retried += page
            } while page.count >= Self.page
            if let id, retried.isEmpty {
                throw CommandFailure("there is no failed job \(id): it was never made, has not failed permanently, or was removed")
            }
            try report(retried)
        }

        private func report(_ jobs: [RetriedJob]) throws {
            struct Row: Encodable {
                let id: String
                let kind: String
                let retried: Bool
            }
            struct Report: Encodable {
                let retried: Int
                let passed_over: Int
                let jobs: [Row]
            }
            let ready = jobs.count(where: \.isReady)
            if admin.json {
                return try CommandOutput.json(
                    Report(
                        retried: ready, passed_over: jobs.count - ready,
                        jobs: jobs.map { Row(id: $0.id.description, kind: $0.kind.rawValue, retried: $0.isReady) }))
            }
            print("\(ready) jobs are tried again" + (ready < jobs.count ? ", \(jobs.count - ready) passed over" : ""))
        }
    }
}
