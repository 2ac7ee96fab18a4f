import ArgumentParser
import DiaryDatabase
import FoundationEssentials
import WireFormats

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Positions of the feed of changes.", subcommands: [NewEpoch.self])

    /// The time that a restore has lost.
    static let lostTime = ReportForm<ClosedRange<Date>>(
        .member("lost_since") { $0.lowerBound }, .member("lost_until") { $0.upperBound })

    struct NewEpoch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new-epoch",
            abstract: "Ends every position of the feed that was given until now: after a restore of an older main database.",
            discussion: """
                Clients are answered 410 and start again. Sweepers keep the objects of the lost time until `diary objects orphans --delete`. Run it before \
                `diary serve` and `diary work` start; a second run does no harm.
                """)

        @Option(help: "When the lost time began, RFC 3339: the time of the dump (default: the last sweep that the database knows of).")
        var lostSince: String?

        @Flag(help: "Print JSON: \(SyncCommand.lostTime.shape).")
        var json = false

        func validate() throws {
            if let lostSince, RFC3339.parse(lostSince) == nil { throw ValidationError("--lost-since must be an RFC 3339 time") }
        }

        func run() async throws {
            let restores = PostgresRestoreAdministration(pool: try AdminDatabase.pool())
            let lost = try await restores.beginEpoch(lostSince: lostSince.flatMap { RFC3339.parse($0) }).lost
            SyncCommand.lostTime.show(
                lost, json: json, or: "a new epoch has begun; lost: \(lost.lowerBound.text) to \(lost.upperBound.text)")
        }
    }
}
