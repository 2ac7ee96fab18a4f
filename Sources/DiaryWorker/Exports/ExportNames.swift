import DiaryCore

/// Names inside the zip, made of times and ids alone (E1). Entries come in order of time and id; the first of a second has the plain name.
struct ExportNames {
    private var stems: Set<String> = []
    private var recordings: Set<String> = []
    private let isFirstPart: Bool

    /// - Parameter part: from 1. Later parts have no plain names, so that all parts can be unpacked into one folder.
    init(part: Int = 1) { isFirstPart = part == 1 }

    /// `YYYY-MM-DD_HH-mm-ss` for an entry's files of text; `_<uuid8>` is added for another entry of the same local second, which need not be
    /// adjacent: the end of summer time and a change of zone repeat an hour.
    mutating func stem(_ facts: EntryFacts) -> String {
        let candidates = isFirstPart ? [facts.localTime.stem, facts.stem] : [facts.stem]
        let stem = candidates.first { !stems.contains($0) } ?? "\(facts.localTime.stem)_\(facts.id)"
        stems.insert(stem)
        return stem
    }

    /// `text/<stem>.txt`, `srt/<stem>.srt`; what the Meeting Recorder keeps in a recording's folder is in one here.
    static func text(_ role: ExportFileFacts.Role, stem: String, of facts: EntryFacts) -> String {
        switch role {
        case .srt: "srt/\(stem).srt"
        case .md: "text/\(stem).md"
        case .transcript_json: "entries/\(facts.id)/transcript.json"
        case .metadata_json: "entries/\(facts.id)/metadata.json"
        case .txt, .audio, .index: "text/\(stem).txt"
        }
    }

    /// `audio/<filename>`.
    mutating func audio(_ filename: String, of facts: EntryFacts) -> String {
        let suffix = filename.dropFirst(facts.stem.count)
        let name = recordings.contains(filename) ? "\(facts.localTime.stem)_\(facts.id)\(suffix)" : filename
        recordings.insert(name)
        return "audio/\(name)"
    }
}
