import ArgumentParser
import DiaryDatabase
import FoundationEssentials
import WireFormats

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Positions of the feed of changes.", subcommands: [NewEpoch.self])

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

        @Flag(help: "Print JSON: {lost_since, lost_until}.")
        var json = false

        func validate() throws {
            if let lostSince, RFC3339.parse(lostSince) == nil { throw ValidationError("--lost-since must be an RFC 3339 time") }
        }

        func run() async throws {
            let restores = PostgresRestoreAdministration(pool: try AdminDatabase.pool())
            let lost = try await restores.beginEpoch(lostSince: lostSince.flatMap { RFC3339.parse($0) }).lost
            let row = LostTime(lost)
            if json {
                try CommandOutput.json(row)
            } else {
                print("a new epoch has begun; lost: \(row.lost_since) to \(row.lost_until)")
            }
        }
    }
}

struct LostTime: Encodable {
    let lost_since: String
    let lost_until: String

    init(_ time: ClosedRange<Date>) {
        lost_since = KeyReport.text(time.lowerBound)
        lost_until = KeyReport.text(time.upperBound)
    }
}
