import ArgumentParser
import DiaryCore
import DiaryDatabase
import FoundationEssentials

/// An export as `diary exports` prints it.
struct ExportReport: Encodable {
    let id: String
    let from: String
    let to: String
    let include_audio: Bool
    let formats: [String]
    let layer: String
    @OrNull var kind: String?
    let has_tags: Bool
    let status: String
    @OrNull var code: String?
    let mail_status: String
    @OrNull var size_bytes: Int64?
    @OrNull var entry_count: Int64?
    let created_at: String
    @OrNull var ready_at: String?
    @OrNull var expires_at: String?
    let downloads: Int64
    let max_downloads: Int64
    @OrNull var revoked_at: String?

    init(_ export: ExportOverview) {
        id = export.id.description
        from = export.from.description
        to = export.to.description
        include_audio = export.contents.includeAudio
        formats = export.contents.formats.map(\.rawValue).sorted()
        layer = export.contents.layer.rawValue
        _kind = OrNull(wrappedValue: export.kind?.rawValue)
        has_tags = export.hasTags
        status = export.status.rawValue
        _code = OrNull(wrappedValue: export.code?.rawValue)
        mail_status = export.mailStatus.rawValue
        _size_bytes = OrNull(wrappedValue: export.sizeBytes)
        _entry_count = OrNull(wrappedValue: export.entryCount)
        created_at = export.createdAt.formatted(.iso8601)
        _ready_at = OrNull(wrappedValue: export.readyAt?.formatted(.iso8601))
        _expires_at = OrNull(wrappedValue: export.expiresAt?.formatted(.iso8601))
        downloads = export.downloads
        max_downloads = export.maxDownloads
        _revoked_at = OrNull(wrappedValue: export.revokedAt?.formatted(.iso8601))
    }

    func show() {
        print("\(id)  \(status)\(code.map { ", \($0)" } ?? "")")
        print("  days        \(from) – \(to)")
        let files = (include_audio ? ["recordings"] : []) + formats
        print("  contents    \(files.joined(separator: ", ")) (layer \(layer))")
        print("  selection   \([kind, has_tags ? "tags" : nil].compactMap(\.self).joined(separator: ", "))")
        print("  mail        \(mail_status)")
        print("  entries     \(entry_count.map { String($0) } ?? "-"), \(size_bytes.map { "\($0) bytes" } ?? "not built")")
        print("  created     \(created_at), ready \(ready_at ?? "-"), ends \(revoked_at ?? expires_at ?? "-")")
        print("  downloads   \(downloads) of \(max_downloads)")
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
