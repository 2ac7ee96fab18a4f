import DiaryCore
import ZipArchive

/// An entry of an export with what is made of it alone. Its names and its place in a zip depend on the entries before it.
struct PreparedExportEntry: Sendable {
    struct Text: Sendable {
        var role: ExportFileFacts.Role
        var layer: TextLayer?
        /// Before it was packed.
        var sha256: [UInt8]
        var packed: [UInt8]
        var facts: PackedFacts
    }

    var exported: ExportedEntry
    var texts: [Text] = []
    var gaps: [ExportGap] = []
    /// nil when none was asked for.
    var recording: Result<ExportRecordings.Found, ExportGap.Reason>?
}
