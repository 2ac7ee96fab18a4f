import DiaryCore

enum ExportFields {
    /// Which of an export's zips; nil for the only one.
    static func part(_ query: Query) throws(DiaryError) -> Int? {
        var query = query
        let part = query.integer("part", in: 1...Export.mostParts)
        try query.finish()
        return part
    }

    /// nil when a member was refused, and then `finish` throws.
    static func read(_ f: inout Fields, idempotencyKey: String?) -> RequestExport.Form? {
        let selection = selection(&f)
        let contents = contents(&f)
        let email = f.value("email") == nil ? nil : f.mailAddress("email")
        let mail = f.bool("mail")
        guard let selection else { return nil }
        return RequestExport.Form(selection: selection, contents: contents, email: email, mail: mail, idempotencyKey: idempotencyKey)
    }

    /// Which entries; nil when a member was refused.
    static func selection(_ f: inout Fields) -> RequestedSelection? {
        let tags = f.tags() ?? []
        let kind = f.choice("kind", of: EntryKind.self)
        let since: ExportID? = f.id("since_export")
        if f.value("entry_ids") != nil {
            for name in ["from", "to", "tags", "kind", "since_export"] where f.value(name) != nil {
                f.refuse(name, "cannot be combined with entry_ids")
            }
            return chosen(&f).map { RequestedSelection(.entries($0)) }
        }
        let from = f.day("from") ?? CalendarDay.all.lowerBound
        let to = f.day("to") ?? CalendarDay.all.upperBound
        return RequestedSelection(.days(from, to), tags: tags, kind: kind, since: since)
    }

    /// Entries by their ids, each once.
    private static func chosen(_ f: inout Fields) -> [EntryID]? {
        guard let texts = f.texts("entry_ids", maxCount: ExportSelection.mostEntries, maxEach: 36) else { return nil }
        if texts.isEmpty { f.refuse("entry_ids", "must not be empty") }
        var (chosen, seen): ([EntryID], Set<EntryID>) = ([], [])
        for (index, text) in texts.enumerated() {
            let place = "\(f.pointer("entry_ids"))/\(index)"
            if let id = EntryID(text) {
                if seen.insert(id).inserted { chosen.append(id) } else { f.errors.append(.init(place, "comes twice")) }
            } else {
                f.errors.append(.init(place, "must be a UUID"))
            }
        }
        return chosen
    }

    /// What the zip holds of each entry.
    static func contents(_ f: inout Fields) -> ExportContents {
        var contents = ExportContents()
        if let audio = f.bool("include_audio") { contents.includeAudio = audio }
        if let formats = formats(&f) { contents.formats = formats }
        if let layer = f.choice("layer", of: ExportLayer.self) { contents.layer = layer }
        return contents
    }

    static func formats(_ f: inout Fields) -> Set<ExportFormat>? {
        // A name may be repeated; twice all of them is more than any client needs.
        guard let names = f.texts("formats", maxCount: 2 * ExportFormat.allCases.count, maxEach: 32) else { return nil }
        var formats = Set<ExportFormat>()
        for (index, name) in names.enumerated() {
            if let format = ExportFormat(rawValue: name) {
                formats.insert(format)
            } else {
                f.errors.append(.init("\(f.pointer("formats"))/\(index)", FieldFault.notOne(of: ExportFormat.allCases.map(\.rawValue))))
            }
        }
        return formats
    }
}
