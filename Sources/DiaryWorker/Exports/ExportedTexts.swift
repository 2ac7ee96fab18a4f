import DiaryCore

/// The files that are made of an entry's words, in the formats that were asked for, and why others are not there.
struct ExportedTexts: Sendable {
    struct File: Sendable {
        var role: ExportFileFacts.Role
        var layer: TextLayer?
        var bytes: [UInt8]
    }

    private(set) var files: [File] = []
    private(set) var gaps: [ExportGap] = []

    init(_ exported: ExportedEntry, _ contents: ExportContents) {
        let formats = contents.formats
        if formats.contains(.txt) || formats.contains(.md) {
            switch Self.words(of: exported.transcript, contents.layer) {
            case .success(let (words, layer)):
                let transcript = exported.transcript
                // The lines of this layer have their speakers already.
                let spoken = contents.layer == .corrected ? [] : transcript.spokenLines
                if formats.contains(.txt) { add(.txt, layer, Self.plain(transcript, words, spoken)) }
                if formats.contains(.md) {
                    add(.md, layer, Array(MarkdownTranscript.text(transcript, words: words, spoken: spoken).utf8))
                }
            case .failure(let reason):
                if formats.contains(.txt) { gaps.append(ExportGap(.txt, reason)) }
                if formats.contains(.md) { gaps.append(ExportGap(.md, reason)) }
            }
        }
        if exported.entry.facts.kind == .voice {
            if let segments = exported.transcript.segments {
                if formats.contains(.srt) {
                    let cues = Cue.cues(of: segments, labels: exported.transcript.speakerLabels, asWords: true)
                    add(.srt, nil, Array(SubRipTranscript.text(cues).utf8))
                }
                if formats.contains(.transcriptJSON) {
                    add(.transcript_json, nil, MeetingRecorderTranscript.document(exported.entry.facts.id, segments))
                }
            } else {
                let reason: ExportGap.Reason = exported.damaged.contains(.segments) ? .damaged : .noTranscript
                if formats.contains(.srt) { gaps.append(ExportGap(.srt, reason)) }
                if formats.contains(.transcriptJSON) { gaps.append(ExportGap(.transcript_json, reason)) }
            }
        }
        if formats.contains(.metadataJSON) { add(.metadata_json, nil, MeetingRecorderMetadata.document(exported)) }
    }

    private mutating func add(_ role: ExportFileFacts.Role, _ layer: TextLayer?, _ bytes: [UInt8]) {
        files.append(File(role: role, layer: layer, bytes: bytes))
    }

    /// The words of a layer, and the layer that they are of.
    static func words(of transcript: Transcript, _ layer: ExportLayer) -> Result<(String, TextLayer), ExportGap.Reason> {
        let entry = transcript.entry
        let candidates: [(String?, TextLayer)] =
            switch layer {
            case .raw: [(entry.machine.raw, .raw)]
            case .clean: [(entry.machine.clean, .clean)]
            case .edited: [(entry.personal.edited, .edited)]
            case .corrected: [(transcript.correctedLines, .corrected)]
            case .shown:
                [
                    (entry.personal.edited, .edited), (entry.personal.corrected?.text, .corrected), (entry.machine.clean, .clean),
                    (entry.machine.raw, .raw),
                ]
            }
        for (words, layer) in candidates { if let words { return .success((words, layer)) } }
        let needed: Entry.Damage =
            switch layer {
            case .raw, .clean, .corrected: .machine
            case .edited: .personal
            case .shown: [.personal, .machine]
            }
        if !entry.damage.isDisjoint(with: needed) { return .failure(.damaged) }
        if entry.text != nil { return .failure(.layerMissing) }
        return .failure(entry.facts.kind == .voice && entry.facts.status != .transcribed ? .noTranscript : .noText)
    }

    /// Title, blank line, words; after another one who says what; and after another one the notes.
    private static func plain(_ transcript: Transcript, _ words: String, _ spoken: [SpokenLine]) -> [UInt8] {
        let entry = transcript.entry
        var text = ""
        if let title = entry.personal.title, !title.isEmpty { text = "\(title)\n\n" }
        text += words
        if !text.hasSuffix("\n") { text += "\n" }
        if !spoken.isEmpty { text += "\n" + spoken.map(\.plain).joined(separator: "\n") + "\n" }
        if let notes = transcript.notes() { text += "\n\(notes.heading)\n\(notes.lines)" }
        return Array(text.utf8)
    }
}
