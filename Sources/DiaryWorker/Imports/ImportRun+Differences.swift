import DiaryCore
import FoundationEssentials
import WireFormats

/// What an own export says otherwise than the account. It is reported and changes nothing: a zip does not say whether what the account has
/// is older, or what its owner has written since.
extension ImportRun {
    /// Deletions that are looked up at once.
    private static let page = 100

    /// Whether an own export has an entry of the account with other words, a later version of it, or the recording that an earlier import
    /// missed. What cannot be read on either side is not compared.
    func differs(_ candidate: ImportCandidate, from id: EntryID) async throws(WorkError) -> Bool {
        guard archive.source == .diary, !candidate.notes.contains(where: { $0.code == .exportedDamaged }),
            let stored = try await store.compared(id, of: job.owner)
        else { return false }
        if stored.favorite != candidate.facts.favorite { return true }
        if abs(stored.recordedAt.timeIntervalSince(candidate.recordedAt)) >= 0.001 { return true }
        if candidate.recording != nil, stored.lacksRecording { return true }
        if let sealed = stored.personal {
            // The owner's words, and corrections of segments, which have the same versions.
            if candidate.personalVersion > sealed.version { return true }
            let part = try? vault.open(PersonalPart.self, sealed.bytes, as: .personal, row: id.uuid, version: sealed.version)
            if let part, Self.differ(part, candidate.personal) { return true }
        }
        guard let words = candidate.machine else { return false }
        guard let sealed = stored.machine else { return true }
        let part = try? vault.open(MachinePart.self, sealed.bytes, as: .machine, row: id.uuid, version: sealed.version)
        return part.map { Self.differ($0, words) } ?? false
    }

    private static func differ(_ one: PersonalPart, _ other: PersonalPart) -> Bool {
        func texts(_ part: PersonalPart) -> [String] {
            PersonalText.all.map { part[$0] ?? "" } + [part.corrected?.text ?? ""] + part.orderedNotes.map(\.line)
        }
        return texts(one) != texts(other) || Set(one.tags) != Set(other.tags) || one.metadata != other.metadata
    }

    private static func differ(_ one: MachinePart, _ other: MachinePart) -> Bool {
        func texts(_ part: MachinePart) -> [String] {
            ([part.raw, part.clean] + MachineText.all.map { part[$0] }).map { $0 ?? "" } + part.keyPoints
        }
        return texts(one) != texts(other)
    }

    /// Reports the entries that were deleted where the zip comes from, and that are there. As many deletions are read as an import may have
    /// entries.
    func reportDeletions(_ pending: inout PendingImportStep) async throws {
        guard let manifest = archive.deletions else { return }
        do {
            var list = try await ImportWork.run { [archive] in ImportListBox(list: try archive.deletionList(manifest)) }
            for page in 1...max(1, tenant.maxImportEntries(within: limits) / Self.page) where pending.linesLeft > 0 {
                try Task.checkCancellation()
                let (ids, isLast, rest) = try await ImportWork.run(stoppable: { [list] stop -> ([EntryID], Bool, ImportListBox) in
                    var list = list.list
                    var ids: [EntryID] = []
                    for _ in 0..<Self.page {
                        guard let element = try list.next(stop) else { return (ids, true, ImportListBox(list: list)) }
                        if let id = Self.id(element) { ids.append(id) }
                    }
                    return (ids, false, ImportListBox(list: list))
                })
                list = rest
                try await report(deleted: ids, at: archive.total + Int64(page), &pending)
                if isLast { break }
            }
        } catch is ImportArchive.Refusal {
            // No list: the entries are there all the same.
        }
    }

    private static func id(_ element: JSONListReader.Element) -> EntryID? {
        guard case .bytes(let bytes) = element, let object = ImportArchive.object(bytes) else { return nil }
        return ImportFields(object).value("id")?.string.flatMap { EntryID($0) }
    }

    private func report(deleted ids: [EntryID], at place: Int64, _ pending: inout PendingImportStep) async throws {
        guard !ids.isEmpty else { return }
        let known = try await store.known(
            ids + ids.map(Self.replacementID), recordings: [], before: importRow.createdAt, of: job.owner)
        for id in ids {
            guard let there = [id, Self.replacementID(of: id)].first(where: { known.ids[$0] == .there }) else { continue }
            pending.note(.init(outcome: .unchanged, code: .deletedInZip), there, at: place)
        }
        if pending.isFull(Self.batch) { try await flush(&pending, isLast: true) }
    }
}

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
