package import FoundationEssentials

/// Notes of an entry are added, changed and deleted one by one, without a condition: what two devices do at once happens one after the other,
/// and none is lost. They are a part of what the owner wrote, so each is a change of the entry and has its version.
package struct WriteNotes: Sendable {
    let entries: any EntryStore
    let keys: DataKeys
    let clock: WallClock

    package struct Draft: Sendable {
        package var id: NoteID?
        package var text: String
        package var at: Double?
        /// nil: now.
        package var createdAt: Date?

        package init(id: NoteID?, text: String, at: Double?, createdAt: Date?) {
            self.id = id
            self.text = text
            self.at = at
            self.createdAt = createdAt
        }
    }

    /// A note that the entry has, or had, is not added again.
    /// - Throws: `noteIDTaken` where the entry has one with the id that says something else, or elsewhere.
    package func add(
        _ draft: Draft, to id: EntryID, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        let now = clock.now()
        let note = EntryNote(
            id: draft.id ?? NoteID(UUIDv7.make(at: now)), text: draft.text, at: draft.at, createdAt: draft.createdAt ?? now)
        return try await change(id, matching: match, by: member) { (entry, personal) throws(DiaryError) in
            if let there = personal.notes.first(where: { $0.id == note.id }) {
                guard there.text == note.text, there.at == note.at else {
                    throw DiaryError(.noteIDTaken, fields: [.init("/id", "belongs to a note with another text or place")])
                }
                return
            }
            guard !personal.deletedNotes.contains(note.id) else { return }
            try Self.check(note.at, of: entry)
            guard personal.notes.count < EntryNote.most else {
                throw .invalid("", "the entry has \(EntryNote.most) notes already")
            }
            personal.notes.append(note)
        }
    }

    /// What is nil stays as it is.
    /// - Throws: `notFound` without the note.
    package func change(
        _ note: NoteID, of id: EntryID, text: String?, at: Double?, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        try await change(id, matching: match, by: member) { (entry, personal) throws(DiaryError) in
            guard let place = personal.notes.firstIndex(where: { $0.id == note }) else { throw .notFound }
            let old = personal.notes[place]
            try Self.check(at, of: entry)
            personal.notes[place] = EntryNote(id: note, text: text ?? old.text, at: at ?? old.at, createdAt: old.createdAt)
        }
    }

    /// - Throws: `notFound` without the note.
    package func delete(
        _ note: NoteID, of id: EntryID, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        try await change(id, matching: match, by: member) { (_, personal) throws(DiaryError) in
            guard personal.notes.contains(where: { $0.id == note }) else { throw .notFound }
            personal.notes.removeAll { $0.id == note }
            personal.deletedNotes = Array((personal.deletedNotes + [note]).suffix(EntryNote.deleted))
        }
    }

    private func change(
        _ id: EntryID, matching match: VersionMatch, by member: Member,
        _ change: (Entry, inout PersonalPart) throws(DiaryError) -> Void
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        try await entries.rewrite(id, matching: match, keys, by: member) { (entry, vault) throws(DiaryError) in
            guard !entry.damage.contains(.personal) else { throw DiaryError(.entryDamaged) }
            var personal = entry.personal
            try change(entry, &personal)
            return personal == entry.personal ? nil : try vault.rewrite(personal, of: id, over: entry.version)
        }
    }

    private static func check(_ at: Double?, of entry: Entry) throws(DiaryError) {
        if at != nil, entry.facts.kind == .text { throw .invalid("/at_s", "belongs to recordings") }
    }
}
