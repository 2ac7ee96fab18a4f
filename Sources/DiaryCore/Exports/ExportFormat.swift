/// A file for each entry of an export. Stored and on the wire; raw values never change.
package enum ExportFormat: String, Sendable, CaseIterable {
    case txt, md, srt
    /// The Meeting Recorder's `transcript.json` 1.0 of a recording.
    case transcriptJSON = "transcript_json"
    /// The Meeting Recorder's `metadata.json`.
    case metadataJSON = "metadata_json"
}
