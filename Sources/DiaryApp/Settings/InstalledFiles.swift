import DiaryHTTP
import FoundationEssentials

/// The files that ship beside the program: `migrations/`, and what the service publishes of itself: the contract, `openapi.yaml`, with what
/// `scripts/contract` makes of it, and the form of an export's manifest, `docs/export-manifest.schema.json`.
struct InstalledFiles: Sendable {
    let folder: String

    static let setting = Setting.optional(
        "DIARY_SHARE", .text("folder"), without: "found beside the program",
        "where `migrations/`, the contract (`openapi.yaml`) and `docs/export-manifest.schema.json` are")

    /// The setting's folder, or the nearest folder above the program (a checkout's `.build/…/diary`, or `bin/../share/diary`), or above the
    /// working directory.
    static func find(_ environment: Environment) throws(SettingsError) -> InstalledFiles {
        if let folder = try environment.read(setting) {
            guard exists(folder + "/migrations/main") else { throw SettingsError(setting, "has no folder migrations") }
            return InstalledFiles(folder: folder)
        }
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let starts = [program, FileManager.default.currentDirectoryPath]
        for start in starts {
            var folder = start
            while let slash = folder.lastIndex(of: "/") {
                for candidate in [folder, folder + "/share/diary"] where exists(candidate + "/migrations/main") {
                    return InstalledFiles(folder: candidate)
                }
                folder = String(folder[..<slash])
            }
        }
        let places = starts.filter { !$0.isEmpty }.joined(separator: " and ")
        throw SettingsError(
            setting, "migrations/ and openapi.yaml are in no folder above \(places), nor in share/diary of one; name their folder here")
    }

    var migrations: String { folder + "/migrations/main" }
    var keyMigrations: String { folder + "/migrations/keys" }
    var roles: String { folder + "/migrations/roles.sql" }

    func contract() throws(SettingsError) -> ContractFiles {
        ContractFiles(
            yaml: try text("openapi.yaml"), json: made("openapi.json"), reference: made("reference.js"),
            exportManifest: try text("docs/export-manifest.schema.json"))
    }

    /// What `scripts/contract` makes: in `.build/share` of a checkout, beside the rest where it is installed. nil where it was not run.
    private func made(_ name: String) -> String? {
        let places = ["\(folder)/.build/share/\(name)", "\(folder)/\(name)"]
        return places.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first.map { String(decoding: $0, as: UTF8.self) }
    }

    private func text(_ name: String) throws(SettingsError) -> String {
        guard let data = FileManager.default.contents(atPath: folder + "/" + name) else {
            throw SettingsError(Self.setting, "\(name) cannot be read")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
