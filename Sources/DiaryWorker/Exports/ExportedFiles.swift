import DiaryCore
import WireFormats
import ZipArchive

/// What an entry puts into a zip: its files by their names, and what manifest and index say of it.
struct ExportedFiles: Sendable {
    /// The texts in their order, then the recording.
    private(set) var facts: [ExportFileFacts] = []
    /// The entry in the manifest.
    let line: [UInt8]
    /// In the index.
    let article: [UInt8]

    init(of entry: PreparedExportEntry, named names: inout ExportNames, in index: ExportIndex) {
        let facts = entry.exported.entry.facts
        var gaps = entry.gaps
        if !entry.texts.isEmpty {
            let stem = names.stem(facts)
            self.facts = entry.texts.map { text in
                ExportFileFacts(
                    path: ExportNames.text(text.role, stem: stem, of: facts), role: text.role, size: text.facts.length,
                    sha256: Hex.encode(text.sha256), layer: text.layer)
            }
        }
        switch entry.recording {
        case .success(let found):
            self.facts.append(
                ExportFileFacts(
                    path: names.audio(found.filename, of: facts), role: .audio, size: found.size, sha256: Hex.encode(found.sha256),
                    source: found.isCopy ? .copy : .original))
        case .failure(let reason): gaps.append(ExportGap(.audio, reason))
        case nil: break
        }
        line = ExportManifest.entry(entry.exported, files: self.facts, gaps: gaps)
        article = Array(index.article.html(entry.exported, files: self.facts, gaps: gaps).utf8)
    }
}
