import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials

/// An export as `diary exports` prints it.
enum ExportReport {
    static let form = ReportForm<ExportOverview>(
        .field("id") { $0.id.description },
        .member("from", orNull: true) { $0.from?.description },
        .member("to", orNull: true) { $0.to?.description },
        .column("days") { ExportReport.days($0) },
        .member("include_audio") { $0.contents.includeAudio },
        .member("formats") { ExportReport.formats($0) },
        .member("layer") { $0.contents.layer.rawValue },
        .member("kind", orNull: true) { $0.kind?.rawValue },
        .member("has_tags") { $0.hasTags },
        .field("status") { $0.status.rawValue },
        .member("code", orNull: true) { $0.code?.rawValue },
        .field("mail_status", column: "mail") { $0.mailStatus.rawValue },
        .field("entry_count", column: "entries", none: "-", orNull: true) { $0.entryCount },
        .field("size_bytes", column: "bytes", none: "-", orNull: true) { $0.sizeBytes },
        .field("created_at", column: "created") { $0.createdAt },
        .member("ready_at", orNull: true) { $0.readyAt },
        .field("expires_at", column: "ends", none: "-", orNull: true) { $0.expiresAt },
        .member("downloads") { $0.downloads },
        .member("max_downloads") { $0.maxDownloads },
        .member("revoked_at", orNull: true) { $0.revokedAt })

    private static func days(_ export: ExportOverview) -> String {
        switch (export.from, export.to) {
        case (nil, nil): "all"
        case (let from, let to): "\(from?.description ?? "") – \(to?.description ?? "")"
        }
    }

    private static func formats(_ export: ExportOverview) -> [String] { export.contents.formats.map(\.rawValue).sorted() }

    static func text(_ export: ExportOverview) -> String {
        let files = (export.contents.includeAudio ? ["recordings"] : []) + formats(export)
        let selection = [export.kind?.rawValue, export.hasTags ? "tags" : nil].compactMap(\.self)
        let size = export.sizeBytes.map { "\($0) bytes" } ?? "not built"
        let end = (export.revokedAt ?? export.expiresAt)?.text ?? "-"
        return """
            \(export.id)  \(export.status.rawValue)\(export.code.map { ", \($0.rawValue)" } ?? "")
              days        \(days(export))
              contents    \(files.joined(separator: ", ")) (layer \(export.contents.layer.rawValue))
              selection   \(selection.joined(separator: ", "))
              mail        \(export.mailStatus.rawValue)
              entries     \(export.entryCount.map { String($0) } ?? "-"), \(size)
              created     \(export.createdAt.text), ready \(export.readyAt?.text ?? "-"), ends \(end)
              downloads   \(export.downloads) of \(export.maxDownloads)
            """
    }
}

/// The account whose exports a command is about, by id or by address.
struct ExportTarget: ParsableArguments {
    @Option(help: "The app's slug.")
    var tenant: String

    @Option(help: "The user's id, or the address they sign in with (needs DIARY_SERVICE_SECRET).")
    var user: String

    var missing: CommandFailure { CommandFailure("there is no such account in \(tenant)") }

    func validate() throws {
        guard UserTarget.isUser(user) else { throw ValidationError("--user must be a user's id or a mail address") }
    }

    func find() async throws -> (PostgresExportAdministration, Owner) {
        let (users, owner) = try await UserTarget.find(user, in: tenant)
        return (PostgresExportAdministration(pool: users.pool), owner)
    }
}
