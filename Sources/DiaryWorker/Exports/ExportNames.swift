import DiaryCore

/// Names inside the zip, made of times and ids alone (E1). Entries come in order of time and id; the first of a second has the plain name.
struct ExportNames {
    private var taken: Set<String> = []

    /// `text/YYYY-MM-DD_HH-mm-ss.txt`; `_<uuid8>` is added for another entry of the same local second, which need not be adjacent:
    /// the end of summer time and a change of zone repeat an hour.
    mutating func text(_ facts: EntryFacts) -> String {
        take(["text/\(facts.localTime.stem).txt", "text/\(facts.stem).txt"], last: "text/\(facts.localTime.stem)_\(facts.id).txt")
    }

    /// `audio/<filename>`.
    mutating func audio(_ filename: String, of facts: EntryFacts) -> String {
        let suffix = filename.dropFirst(facts.stem.count)
        return take(["audio/\(filename)"], last: "audio/\(facts.localTime.stem)_\(facts.id)\(suffix)")
    }

    private mutating func take(_ candidates: [String], last: String) -> String {
        let name = candidates.first { !taken.contains($0) } ?? last
        taken.insert(name)
        return name
    }
}
