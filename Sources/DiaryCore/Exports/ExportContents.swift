/// The files that a zip holds for each entry. `manifest.json`, with every stored field, and `index.html` are in every zip.
package struct ExportContents: Sendable, Equatable {
    package var includeAudio = true
    package var formats: Set<ExportFormat> = [.txt]
    /// The text that is written into the files of `formats`, except `transcriptJSON` and `metadataJSON`, which say all.
    package var layer = ExportLayer.shown

    package init(includeAudio: Bool = true, formats: Set<ExportFormat> = [.txt], layer: ExportLayer = .shown) {
        self.includeAudio = includeAudio
        self.formats = formats
        self.layer = layer
    }
}

/// A file for each entry of an export. Stored and on the wire; raw values never change.
package enum ExportFormat: String, Sendable, CaseIterable {
    case txt, md, srt
    /// The Meeting Recorder's `transcript.json` 1.0 of a recording.
    case transcriptJSON = "transcript_json"
    /// The Meeting Recorder's `metadata.json`.
    case metadataJSON = "metadata_json"
}

/// Which text of an entry goes into the text files of an export. Stored and on the wire; raw values never change.
///
/// An entry without a text of the layer has no text file; the manifest says so.
package enum ExportLayer: String, Sendable, CaseIterable {
    case raw, clean, edited
    /// `Transcript.correctedLines`.
    case corrected
    /// The text that the app shows: edited before clean before raw, either as corrected.
    case shown
}
