import ArgumentParser
import DiaryCore
import DiaryObjectStore
import FoundationEssentials
import Logging
import S3Client
import Synchronization
import SystemPackage
import UnixSignals

extension ObjectsCommand {
    struct Copy: AsyncParsableCommand {
        /// As a shell reports a command that Ctrl-C ended.
        private static let interrupted = ExitCode(130)

        static let configuration = CommandConfiguration(
            abstract: "Copies recordings and zips, sealed as they are, from a folder to a bucket, back, or to another folder.",
            discussion: """
                LOCATION is a folder or s3://bucket[/prefix], as in DIARY_OBJECTS; the settings of S3 describe the bucket, so one of the two is a folder. \
                Of two folders neither may lie inside the other. Both may be in \
                use meanwhile: docs/operations.md, "Moving recordings to a bucket". Deletes nothing at --from. What is at --to with the same length is skipped, so \
                that a run that was ended goes on with the next one. Each object that is copied is read again at --to and its SHA-256 compared. Staging \
                is copied between folders only; else the result says how many recordings wait there for the service to verify them.
                Ends with 0 when everything is at --to, with 2 when some objects could not be copied, with 1 when a store failed for several in turn, with 130 after Ctrl-C. Progress is \
                on standard error.
                """)

        @Option(help: ArgumentHelp("Where the objects are.", valueName: "location"))
        var from: String

        @Option(help: ArgumentHelp("Where they are copied to.", valueName: "location"))
        var to: String

        @Option(help: "Objects at once, 1 to 64.")
        var jobs = 8

        @Flag(help: "Read at both sides what is at --to already, and compare its SHA-256.")
        var verify = false

        @Flag(
            help: """
                Print JSON, one object a line: {finding, object}, and at the end {objects, bytes, copied, copied_bytes, present, compared, vanished, extra, \
                waiting, findings, finished}.
                """)
        var json = false

        func validate() throws {
            guard (1...64).contains(jobs) else { throw ValidationError("--jobs: must be from 1 to 64") }
            guard from != to else { throw ValidationError("--from and --to are the same") }
            guard ![from, to].allSatisfy({ $0.hasPrefix(ObjectSettings.scheme) }) else {
                throw ValidationError("--from or --to must be a folder: between two buckets their services' own tools copy")
            }
            guard ![from, to].contains(where: { $0.hasPrefix(ObjectSettings.scheme) }) else { return }
            switch FolderRelation(from, to) {
            case .apart: break
            case .same: throw ValidationError("--from and --to are the same folder")
            case .nested: throw ValidationError("--from and --to: neither folder may lie inside the other")
            }
        }

        func run() async throws {
            let environment = Environment.process
            let settings = (
                from: try ObjectSettings(from, named: "--from", environment), to: try ObjectSettings(to, named: "--to", environment)
            )
            // A store makes its folder when it is missing.
            if case .folder(let folder) = settings.from.place, !FileManager.default.fileExists(atPath: folder) {
                throw CommandFailure("--from: there is no such folder")
            }
            let logger = Logger(label: "diary-objects-copy")
            let source = try ObjectStorage(settings.from, named: "--from", logger: logger)
            let target = try ObjectStorage(settings.to, named: "--to", logger: logger)
            // Files of this command that were left by a killed run.
            await target.wipeTemporary()
            let copy = CopyObjects(
                from: source.bytes, to: target.bytes, copiesStaging: !settings.from.isBucket && !settings.to.isBucket, comparesAll: verify,
                jobs: jobs)
            let progress = CopyProgress()
            let report = CopyReport(json: json)
            let isFinished: Bool
            do {
                isFinished = try await Self.untilInterrupted {
                    _ = try await copy.run(progress: { progress.note($0) }, report: { try report.add($0) })
                    try await Self.copySweepMark(from: source, to: target)
                }
            } catch let error as ObjectStoreError {
                try report.finish(progress.counts, isFinished: false)
                throw CommandFailure(
                    error == .unavailable(full: true)
                        ? "there is no space left at --to"
                        : "a store failed (\(error)); what was copied stays, and the same command goes on")
            }
            for storage in [source, target] { if case .s3(let bucket) = storage { await bucket.client.close(within: .zero) } }
            try report.finish(progress.counts, isFinished: isFinished)
            guard isFinished else { throw Self.interrupted }
            if !report.isClean { throw RestoreCheckCommand.found }
        }

        /// The greater number stays, as sweepers on both sides go on.
        private static func copySweepMark(from source: ObjectStorage, to target: ObjectStorage) async throws {
            let number = try await source.marks.number()
            if number > (try await target.marks.number()) { try await target.marks.write(number) }
        }

        /// Cancels the work on SIGINT and SIGTERM, and waits for it: puts under way leave nothing.
        /// - Returns: false when it was cancelled.
        private static func untilInterrupted(_ work: @escaping @Sendable () async throws -> Void) async throws -> Bool {
            let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
            return try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await work()
                    return true
                }
                group.addTask {
                    for await _ in signals { break }
                    return false
                }
                defer { group.cancelAll() }
                return try await group.next() ?? false
            }
        }
    }
}

/// What the run has done, and its lines on standard error.
private final class CopyProgress: Sendable {
    private struct State {
        var counts = CopyObjects.Counts()
        var printed: ContinuousClock.Instant?
    }

    private static let every: Duration = .seconds(5)

    private let began = ContinuousClock.now
    private let state = Mutex(State())

    var counts: CopyObjects.Counts { state.withLock { $0.counts } }

    func note(_ counts: CopyObjects.Counts) {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            state.counts = counts
            if let printed = state.printed, now - printed < Self.every { return false }
            state.printed = now
            return true
        }
        if isDue { CommandOutput.note(Self.line(counts, after: now - began)) }
    }

    private static func line(_ counts: CopyObjects.Counts, after passed: Duration) -> String {
        let done = (objects: counts.copied + counts.present, bytes: counts.copiedBytes + counts.presentBytes)
        let sizes = "\(done.bytes / 1_048_576) of \(counts.bytes / 1_048_576) MiB"
        return "\(done.objects) of \(counts.objects) objects, \(sizes)\(left(counts, done, after: passed))"
    }

    /// The time that is left, by objects or by bytes, whichever takes longer: small objects cost requests, large ones bytes.
    private static func left(_ counts: CopyObjects.Counts, _ done: (objects: Int, bytes: Int64), after passed: Duration) -> String {
        guard counts.copied > 0 else { return "" }
        let seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) / 1e18
        let byObjects = Double(max(0, counts.objects - done.objects)) / Double(counts.copied)
        let byBytes = counts.copiedBytes > 0 ? Double(max(0, counts.bytes - done.bytes)) / Double(counts.copiedBytes) : 0
        let minutes = (seconds * max(byObjects, byBytes) / 60).rounded(.up)
        return minutes < 1e6 ? ", about \(Int(minutes)) min left" : ""
    }
}

/// Prints findings as they come, and at the end counts and advice.
private final class CopyReport: Sendable {
    private let json: Bool
    private let found = Mutex<[CopyFinding.Kind: Int]>([:])

    init(json: Bool) { self.json = json }

    var isClean: Bool { found.withLock { $0.isEmpty } }

    private struct Line: Encodable {
        let finding: String
        let object: String
    }

    private struct Summary: Encodable {
        let objects: Int
        let bytes: Int64
        let copied: Int
        let copied_bytes: Int64
        let present: Int
        let compared: Int
        let vanished: Int
        let extra: Int
        let waiting: Int
        let findings: [String: Int]
        let finished: Bool
    }

    func add(_ finding: CopyFinding) throws {
        found.withLock { $0[finding.kind, default: 0] += 1 }
        if json {
            try CommandOutput.json(Line(finding: finding.kind.rawValue, object: finding.key.description))
        } else {
            print("\(finding.kind.rawValue)  \(finding.key)")
        }
    }

    func finish(_ counts: CopyObjects.Counts, isFinished: Bool) throws {
        let found = found.withLock { $0 }
        if json {
            return try CommandOutput.json(
                Summary(
                    objects: counts.objects, bytes: counts.bytes, copied: counts.copied, copied_bytes: counts.copiedBytes,
                    present: counts.present, compared: counts.compared, vanished: counts.vanished, extra: counts.extra,
                    waiting: counts.waiting, findings: Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, $0.value) }),
                    finished: isFinished))
        }
        print(
            """
            copied \(counts.copied) objects, \(counts.copiedBytes / 1_048_576) MiB; \(counts.present) of \(counts.objects) were there, \
            of which \(counts.compared) were compared; \(counts.vanished) were deleted meanwhile
            """)
        if counts.extra > 0 { print("\(counts.extra) objects are at --to alone: newer ones, or deleted ones, which workers remove") }
        if counts.waiting > 0 {
            print("\(counts.waiting) recordings in staging wait for the service to verify them: copy again afterwards")
        }
        for kind in CopyFinding.Kind.allCases { if let count = found[kind] { print("\(kind.rawValue): \(count). \(Self.advice(kind))") } }
        if !isFinished { print("not finished: the same command goes on") }
    }

    private static func advice(_ kind: CopyFinding.Kind) -> String {
        switch kind {
        case .unreadable: "The source does not return it whole: `diary objects verify` there."
        case .different: "Other bytes are at --to. Keep what opens, delete the other, and copy again."
        case .altered: "The store at --to returned other bytes than it was sent, at each try, and has it no more."
        case .unanswered: "One of the two stores did not serve them at any try. The same command tries them again."
        }
    }
}
