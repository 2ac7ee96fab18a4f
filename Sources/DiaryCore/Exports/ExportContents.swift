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
