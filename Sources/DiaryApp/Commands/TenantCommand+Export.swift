import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials

extension TenantCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes all data of a tenant into a new folder, sealed as it is stored.",
            discussion: """
                Rows of both databases as one JSON object a line, the sealed objects, and manifest.json with counts and SHA-256. Nothing in it can be \
                read without the service's master keys and service secret. Connects as diary_backup; needs DIARY_OBJECTS, a folder: of a bucket, that of a \
                copy by `diary objects copy`. For a consistent state suspend the app first: the two databases and the objects are read one after another.
                """)

        @Argument var slug: String

        @Option(help: "A folder that does not exist yet.")
        var to: String

        @OptionGroup var admin: AdminOptions

        func run() async throws {
            let tenant = try await TenantCommand.tenant(slug)
            let environment = Environment.process
            let database = try DatabaseSettings(environment)
            guard case .folder(let objects) = try ObjectSettings(environment).place else {
                throw SettingsError(DiaryApp.Settings.objects, "is a bucket: name the folder of a copy by `diary objects copy` here")
            }
            guard try ObjectSettings.also(environment) == nil else {
                throw SettingsError(DiaryApp.Settings.objectsAlso, "is set: exports of an app are made from one folder, after the move")
            }
            let folder = try ExportFolder(to)
            for (name, connection) in [("main", database.main(as: .backup)), ("keys", database.keys(as: .backup))] {
                let dump = try TenantDump(connection, tenant: tenant.id, logger: AdminDatabase.logger)
                try await dump.read(begin: { try folder.beginRows("\(name)/\($0).ndjson") }, page: { try folder.append($0) })
            }
            for kind in ObjectKey.Kind.allCases.map(\.rawValue) {
                try folder.copy("\(objects)/\(kind)/\(tenant.id)", as: "objects/\(kind)/\(tenant.id)")
            }
            let manifest = try folder.finish(tenant)
            _ = try await TenantCommand.administration().change(slug, TenantChange(), .exported, by: try admin.who())
            if admin.json { try CommandOutput.json(manifest) } else { print("\(folder.fileCount) files in \(to)") }
        }
    }
}
