import ArgumentParser
import DiaryCore
import DiaryDatabase

extension ExportsCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists a user's exports, newest first: states, times and sizes.")

        @OptionGroup var target: ExportTarget

        @Option(help: "How many, at most 1000.")
        var limit = 50

        @Flag(help: "Print JSON: \(Self.form.shape).")
        var json = false

        private static let form = ReportForm<[ExportOverview]>(.list("exports", ExportReport.form) { $0 })

        func validate() throws {
            guard (1...1_000).contains(limit) else { throw ValidationError("--limit must lie in 1…1000") }
        }

        func run() async throws {
            let (exports, owner) = try await target.find()
            let rows = try await exports.exports(nil, of: owner, limit: limit)
            if rows.isEmpty, try await PostgresUserAdministration(pool: exports.pool).overview(owner) == nil { throw target.missing }
            if json { Self.form.show(json: rows) } else { ExportReport.form.table(rows).show() }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one export of a user.")

        @OptionGroup var target: ExportTarget

        @Argument(help: "The export's id.")
        var export: String

        @Flag(help: "Print JSON: \(ExportReport.form.shape).")
        var json = false

        func validate() throws {
            guard ExportID(export) != nil else { throw ValidationError("must be an export's id") }
        }

        func run() async throws {
            let (exports, owner) = try await target.find()
            guard let id = ExportID(export), let found = try await exports.exports(id, of: owner, limit: 1).first else {
                throw CommandFailure("the account has no such export")
            }
            ExportReport.form.show(found, json: json, or: ExportReport.text(found))
        }
    }
}
