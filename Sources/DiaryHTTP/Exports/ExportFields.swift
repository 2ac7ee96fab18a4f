import DiaryCore

enum ExportFields {
    /// Which of an export's zips; nil for the only one.
    static func part(_ query: Query) throws(DiaryError) -> Int? {
        var query = query
        let part = query.integer("part", in: 1...Export.mostParts)
        try query.finish()
        return part
    }

    /// nil when a day was refused, and then `finish` throws.
    static func read(_ f: inout Fields, idempotencyKey: String?) -> RequestExport.Form? {
        let from = f.requiredDay("from")
        let to = f.requiredDay("to")
        let includeAudio = f.bool("include_audio") ?? true
        let email = f.value("email") == nil ? nil : f.mailAddress("email")
        let mail = f.bool("mail")
        guard let from, let to else { return nil }
        return RequestExport.Form(
            from: from, to: to, includeAudio: includeAudio, email: email, mail: mail, idempotencyKey: idempotencyKey)
    }
}

extension Fields {
    fileprivate mutating func requiredDay(_ name: String) -> CalendarDay? {
        required(name, nil) { $0.day(name).map { Optional($0) } }
    }
}
