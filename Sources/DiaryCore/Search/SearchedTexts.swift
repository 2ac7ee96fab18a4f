import FoundationEssentials

/// What a search looks at in an entry. A text that entries get is searched when it has a line in `fields`, and a value of `SearchedField.Name`
/// (also in openapi.yaml and docs/search.md).
struct SearchedTexts {
    var personal: PersonalPart
    var machine: MachinePart
    /// Names of speakers, of those of the account the present ones.
    var speakers: [String] = []

    /// In the order in which their snippets are shown.
    var fields: [SearchedField] {
        var fields: [SearchedField] = []
        func add(_ name: SearchedField.Name, _ text: String?, at seconds: Double? = nil) {
            if let text { fields.append(SearchedField(name: name, text: text, at: seconds)) }
        }
        add(.title, personal.title)
        // As `Entry.text`.
        add(.text, personal.edited ?? personal.corrected?.text ?? machine.shown)
        add(.summary, machine.summary)
        for note in personal.orderedNotes { add(.note, note.text, at: note.at) }
        for tag in personal.tags { add(.tag, tag) }
        for name in speakers { add(.speaker, name) }
        return fields
    }
}

package struct SearchedField: Sendable {
    package enum Name: String, Sendable, CaseIterable { case title, text, summary, note, tag, speaker }

    let name: Name
    let text: String
    /// Where it belongs in the recording, in seconds; nil where that is not known.
    let at: Double?
}

extension SegmentCorrections {
    /// In the order of their labels.
    var searchedNames: [String] { speakers.sorted { $0.key < $1.key }.map(\.value) }
}

extension EntryOpener {
    /// A damaged part has no words.
    mutating func texts(
        of sealed: SealedWords, _ vault: Vault, _ profiles: [UUID: SpeakerProfile]
    ) throws(DiaryError) -> SearchedTexts {
        let id = sealed.position.id
        var texts = SearchedTexts(personal: PersonalPart(), machine: MachinePart())
        if let personal = sealed.personal, let part = try openPersonal(personal, of: id) { texts.personal = part }
        if let machine = sealed.machine, let part = try openMachine(machine, of: id) {
            texts.machine = part
            texts.personal.dropCorrected(of: part)
        }
        if let corrections = sealed.corrections {
            let opened = try? vault.open(
                SegmentCorrections.self, corrections.bytes, as: .corrections, row: id.uuid, version: corrections.version)
            texts.speakers = opened?.resolved(by: profiles).searchedNames ?? []
        }
        return texts
    }
}
