import ArgumentParser
import DiaryCore
import DiaryDatabase

private let queueNames = Set(JobCatalogue.diary.descriptors.map(\.queue.rawValue)).sorted().joined(separator: ", ")

/// A queue as it is typed.
private func queue(named name: String) throws -> QueueName {
    let queue = QueueName(rawValue: name)
    guard JobCatalogue.diary.descriptors.contains(where: { $0.queue == queue }) else {
        throw ValidationError("no queue \(name): it must be one of \(queueNames)")
    }
    return queue
}

/// One queue after the act.
private struct HeldQueue: Sendable {
    let queue: QueueName
    var tenant: String?
    let isPaused: Bool
    /// False when it was so before.
    let isChanged: Bool

    var title: String { "\(queue)\(tenant.map { " of \($0)" } ?? "")" }

    static let form = ReportForm<HeldQueue>(
        .member("queue") { $0.queue.rawValue },
        .member("tenant", orNull: true) { $0.tenant },
        .member("paused") { $0.isPaused },
        .member("changed") { $0.isChanged })
}

extension JobsCommand {
    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets workers take no new jobs of a queue, of one app or of all, until `diary jobs resume`.",
            discussion: "What they have they finish; what comes in waits. JSON is \(HeldQueue.form.shape).")

        @Argument(help: "One of \(queueNames); mail also holds codes to sign in.")
        var queue: String

        @Option(help: "The app's jobs alone, by its slug.")
        var tenant: String?

        @OptionGroup var admin: AdminOptions

        func validate() throws { _ = try DiaryApp.queue(named: queue) }

        func run() async throws {
            let (jobs, queue) = (try JobsCommand.administration(), try DiaryApp.queue(named: queue))
            let app = if let tenant { try await TenantCommand.tenant(tenant).id } else { TenantID?.none }
            let isChanged = try await jobs.pause(queue, of: app, by: try admin.who())
            let held = HeldQueue(queue: queue, tenant: tenant, isPaused: true, isChanged: isChanged)
            HeldQueue.form.show(held, json: admin.json, or: "\(held.title) is \(isChanged ? "" : "already ")paused")
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lets workers take jobs again of a queue that was paused, or of all.",
            discussion: """
                With --engines it lets engines be asked again at once that have failed or refused the service, where something else than \
                their settings was wrong, and jobs that wait for an engine run at once; queues stay as they are. JSON is a list of \
                \(HeldQueue.form.shape), with --engines it is \(Self.enginesForm.shape).
                """)

        @Argument(help: "The queue; without it all that are paused, of all apps and of single ones.")
        var queue: String?

        @Option(help: "The pause of this app, by its slug; without it the pause of all apps. With --engines: its own engines, its jobs.")
        var tenant: String?

        @Flag(help: "Engines in place of queues.")
        var engines = false

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            if engines, queue != nil { throw ValidationError("--engines takes no queue") }
            if let queue { _ = try DiaryApp.queue(named: queue) }
            if queue == nil, !engines, tenant != nil { throw ValidationError("--tenant needs a queue or --engines") }
        }

        func run() async throws {
            if engines { return try await resumeEngines() }
            let jobs = try JobsCommand.administration()
            let who = try admin.who()
            var rows: [HeldQueue] = []
            if let queue {
                rows = [try await resume(DiaryApp.queue(named: queue), of: tenant, jobs, who)]
            } else {
                for held in try await jobs.paused() { rows.append(try await resume(held.queue, of: held.slug, jobs, who)) }
            }
            if admin.json { return HeldQueue.form.show(rows, json: true) }
            for row in rows { print("\(row.title) \(row.isChanged ? "goes on" : "was not paused")") }
            if rows.isEmpty { print("nothing was paused") }
        }

        private func resume(
            _ queue: QueueName, of slug: String?, _ jobs: PostgresJobAdministration, _ who: String
        ) async throws -> HeldQueue {
            let app = if let slug { try await TenantCommand.tenant(slug).id } else { TenantID?.none }
            return HeldQueue(queue: queue, tenant: slug, isPaused: false, isChanged: try await jobs.resume(queue, of: app, by: who))
        }
    }

    struct Drain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pauses queues and waits until the workers have finished what they have of them.",
            discussion: """
                Ends with 1 when jobs still run after --wait; the queues stay paused, until `diary jobs resume`. JSON is \(Self.form.shape).
                """)

        private static let form = ReportForm<(queues: [String], running: Int)>(
            .member("queues") { $0.queues }, .member("running") { $0.running }, .member("drained") { $0.running == 0 })

        @Argument(help: "The queues; without one all of them.")
        var queues: [String] = []

        @Option(help: "Seconds to wait.")
        var wait = 600

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            for queue in queues { _ = try DiaryApp.queue(named: queue) }
            guard (0...86_400).contains(wait) else { throw ValidationError("--wait must be from 0 to 86400") }
        }

        func run() async throws {
            let jobs = try JobsCommand.administration()
            let who = try admin.who()
            let descriptors = JobCatalogue.diary.descriptors
            let held = queues.isEmpty ? Set(descriptors.map(\.queue)) : Set(try queues.map { try DiaryApp.queue(named: $0) })
            let names = held.map(\.rawValue).sorted()
            for name in names { _ = try await jobs.pause(QueueName(rawValue: name), of: nil, by: who) }
            let kinds = Set(descriptors.filter { held.contains($0.queue) }.map(\.kind))
            let deadline = ContinuousClock.now + .seconds(wait)
            var running = try await Self.running(kinds, jobs)
            while running > 0, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(250))
                running = try await Self.running(kinds, jobs)
            }
            let list = names.joined(separator: ", ")
            Self.form.show(
                (names, running), json: admin.json,
                or: running == 0 ? "\(list): paused, and nothing runs" : "\(list): paused, \(running) jobs still run after \(wait) s")
            if running > 0 { throw ExitCode.failure }
        }

        private static func running(_ kinds: Set<JobKind>, _ jobs: PostgresJobAdministration) async throws -> Int {
            try await jobs.counts().filter { kinds.contains($0.kind) && $0.state == "leased" }.reduce(0) { $0 + $1.jobs }
        }
    }
}
