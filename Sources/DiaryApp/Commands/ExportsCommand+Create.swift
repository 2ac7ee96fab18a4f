import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials

extension ExportLayer: ExpressibleByArgument {}
extension EntryKind: ExpressibleByArgument {}

extension CalendarDay: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension ExportsCommand {
    struct Create: AsyncParsableCommand {
        /// The account's state forbids it: it is closed, or has no verified address.
        static let refused = ExitCode(3)

        static let configuration = CommandConfiguration(
            abstract: "Makes an export for a user, whose link is mailed to the user's own verified address and to no other.",
            discussion: """
                Connects as diary_admin, and needs no keys. The operator gets the export's id, never the link or the zip. Workers find it within seconds. \
                The app's record of acts gets the operator's name, the user's events say that an administrator asked. \
                Ends with 0 when it is made, with 1 when there is no such app or account, with 3 when the account is closed or has no verified address, \
                with 64 for wrong arguments.
                """)

        @OptionGroup var target: ExportTarget

        @Option(help: ArgumentHelp("The first day, by the entries' own clocks.", valueName: "YYYY-MM-DD"))
        var from: CalendarDay

        @Option(help: ArgumentHelp("The last day, inclusive.", valueName: "YYYY-MM-DD"))
        var to: CalendarDay

        @Option(
            help: ArgumentHelp(
                "Files of each entry, with commas between: \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")); default txt.",
                valueName: "formats"))
        var formats: String?

        @Option(help: "The text of the files txt, md and srt.")
        var layer = ExportLayer.shown

        @Option(help: "Only recordings or only typed entries.")
        var kind: EntryKind?

        @Flag(help: "Leave the recordings out.")
        var noAudio = false

        @OptionGroup var admin: AdminOptions

        func validate() throws {
            guard from <= to else { throw ValidationError("--to must not be before --from") }
            _ = try contents()
        }

        private func contents() throws -> ExportContents {
            var contents = ExportContents(includeAudio: !noAudio, layer: layer)
            guard let formats else { return contents }
            contents.formats = []
            for name in formats.split(separator: ",").map({ String($0.filter { $0 != " " }) }) {
                guard let format = ExportFormat(rawValue: name) else { throw ValidationError("--formats: there is no format \(name)") }
                contents.formats.insert(format)
            }
            return contents
        }

        func run() async throws {
            let (exports, owner) = try await target.find()
            let now = Date()
            let export = AdministeredExport(
                id: ExportID(UUIDv7.make(at: now)), from: from, to: to, kind: kind, contents: try contents(),
                maxDownloads: try Environment.process.read(LimitSettings.exportDownloads),
                job: NewJob(.export, id: JobID(UUIDv7.make(at: now))))
            switch try await exports.create(export, for: owner, by: try admin.who()) {
            case .created?: break
            case nil: throw target.missing
            case .closed?: try refuse("the account is disabled or being erased, or its app is suspended")
            case .addressNotVerified?: try refuse("the account has no verified address, and an export is mailed to no other")
            }
            guard let made = try await exports.exports(export.id, of: owner, limit: 1).first else { throw target.missing }
            ExportReport.form.show(made, json: admin.json, or: "\(made.id): queued")
        }

        private func refuse(_ why: String) throws -> Never {
            CommandOutput.note("Error: \(why)")
            throw Self.refused
        }
    }
}
