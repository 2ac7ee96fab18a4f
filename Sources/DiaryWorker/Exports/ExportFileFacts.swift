import DiaryCore

/// A member of the zip, as the manifest names it.
struct ExportFileFacts: Sendable {
    enum Role: String, Sendable { case audio, txt, md, srt, transcript_json, metadata_json, index }
    /// Of a recording.
    enum Source: String, Sendable { case original, copy }

    var path: String
    var role: Role
    /// Bytes.
    var size: Int64
    /// Lower-case hexadecimal.
    var sha256: String
    var source: Source?
    /// Of a text.
    var layer: TextLayer?
}
