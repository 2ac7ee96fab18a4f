import DiaryCore

/// What the elements since the last write came to.
struct PendingImportStep {
    private(set) var from: Int64
    var done: Int64
    var counts = ImportCounts()
    private(set) var items: [ImportItem] = []
    /// Lines that the import's report may still get.
    private(set) var linesLeft: Int

    /// - Parameter from: elements that earlier steps have written.
    init(from: Int64, linesLeft: Int) { (self.from, done, self.linesLeft) = (from, from, linesLeft) }

    /// What comes after this one has been written.
    var next: PendingImportStep { PendingImportStep(from: done, linesLeft: linesLeft) }

    func isFull(_ most: Int64) -> Bool { done - from >= most || items.count >= most }

    /// Up to 100 of an element, in the order of their places. Nothing is collected for a report that is full.
    mutating func note(_ note: ImportCandidate.Note, _ entry: EntryID?, at place: Int64) {
        let number = max(place * 100, (items.last?.number ?? 0) + 1)
        guard number < place * 100 + 100, linesLeft > 0 else { return }
        linesLeft -= 1
        items.append(ImportItem(number: number, outcome: note.outcome, code: note.code, entry: entry, count: note.count, name: note.name))
    }

    mutating func refuse(_ code: ImportItem.Code, _ outcome: ImportItem.Outcome, _ entry: EntryID, at place: Int64, name: String? = nil) {
        if outcome == .failed { counts.failed += 1 } else { counts.skipped += 1 }
        note(.init(outcome: outcome, code: code, name: name), entry, at: place)
    }
}
