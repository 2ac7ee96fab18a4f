import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials
import Logging
import PostgresClient

struct ExportsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exports",
        abstract: "Makes exports for users and schedules, and lists them; never prints diary text, an address or a link.",
        subcommands: [Create.self, List.self, Show.self, RunDue.self])
}

extension ExportsCommand {
    struct RunDue: AsyncParsableCommand {
        /// Some could not be made; 1 says that the database was away.
        static let someFailed = ExitCode(2)

        static let configuration = CommandConfiguration(
            commandName: "run-due", abstract: "Makes the exports of schedules whose time has come, for cron, a systemd timer or a CronJob.",
            discussion: """
                Workers do the same by themselves; however many of both run, each time that is due has one export, and one export stands for all that were missed. \
                Connects as diary_worker, and needs neither keys nor Redis: workers, who build the exports, find them within seconds. Prints ids and times. \
                Ends with 0 when all that was due has been made, with 2 when some could not be and will be tried again, with 1 when the database \
                was away.
                """)

        @Option(help: "Only those of an app, by its slug.")
        var tenant: String?

        @Flag(help: "Only say what is due.")
        var dryRun = false

        @Flag(help: "Print JSON: \(Report.form.shape). next_at is null except in a dry run.")
        var json = false

        func run() async throws {
            let environment = Environment.process
            let logger = Logger(label: "diary-exports")
            let pool = try ConnectionPool(.init(connection: DatabaseSettings(environment).main(as: .worker), size: 1), logger: logger)
            var limits = Limits()
            limits.exportDownloads = try environment.read(LimitSettings.exportDownloads)
            let runner = RunDueSchedules(store: PostgresDueScheduleStore(pool: pool), jobSignals: nil, limits: limits)
            let app = try await app(pool)
            var report = Report(isDryRun: dryRun)
            do throws(WorkError) {
                if dryRun {
                    report.schedules = try await runner.preview(of: app).map { .init(due: $0.schedule, next: $0.nextAt, outcome: "due") }
                } else {
                    try await runner.run(of: app, each: { report.add($0, $1) })
                }
            } catch {
                // What was made before is committed, and no later run tells of it.
                if !report.schedules.isEmpty { show(report) }
                throw CommandFailure("the database is away or refuses: \(error)")
            }
            show(report)
            if report.failed > 0 { throw Self.someFailed }
        }

        private func app(_ pool: ConnectionPool) async throws -> TenantID? {
            guard let tenant else { return nil }
            guard let found = try await PostgresTenantStore(pool: pool, freshFor: .seconds(15)).tenant(slug: tenant) else {
                throw CommandFailure("there is no app with the slug \(tenant)")
            }
            return found.id
        }

        private func show(_ report: Report) {
            if json { return Report.form.show(json: report) }
            for row in report.schedules {
                let next = row.next.map { "  next \($0.text)" } ?? ""
                print("\(row.outcome)  \(row.due.slug)  \(row.due.owner.user)  \(row.due.id)  due \(row.due.dueAt.text)\(next)")
            }
            let ended = "\(report.made) made, \(report.taken) by other runners, \(report.skipped) skipped"
            print(dryRun ? "\(report.schedules.count) due; nothing was changed" : "\(ended), \(report.failed) failed")
        }
    }
}

extension ExportsCommand.RunDue {
    struct Report: Sendable {
        struct Schedule: Sendable {
            let due: DueSchedule
            let next: Date?
            let outcome: String
        }

        let isDryRun: Bool
        var made = 0
        var taken = 0
        var skipped = 0
        var failed = 0
        var schedules: [Schedule] = []

        static let form = ReportForm<Report>(
            .member("due") { $0.schedules.count },
            .member("made") { $0.made },
            .member("taken") { $0.taken },
            .member("skipped") { $0.skipped },
            .member("failed") { $0.failed },
            .member("dry_run") { $0.isDryRun },
            .list("schedules", scheduleForm) { $0.schedules })

        private static let scheduleForm = ReportForm<Schedule>(
            .member("tenant") { $0.due.slug },
            .member("user") { $0.due.owner.user.description },
            .member("id") { $0.due.id.description },
            .member("due_at") { $0.due.dueAt },
            .member("next_at", orNull: true) { $0.next },
            .member("outcome") { $0.outcome })

        mutating func add(_ schedule: DueSchedule, _ outcome: DueRunOutcome) {
            switch outcome {
            case .made: made += 1
            case .taken: taken += 1
            case .skipped: skipped += 1
            case .failed: failed += 1
            }
            schedules.append(Schedule(due: schedule, next: nil, outcome: outcome.rawValue))
        }
    }
}
