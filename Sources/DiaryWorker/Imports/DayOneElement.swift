import DiaryCore
import DiaryCrypto
import FoundationEssentials
import WireFormats

/// Reads an element of `entries` in a journal of a Day One export. Times are in UTC, the zone is a name of its own; attachments lie in folders
/// beside the journal, under a name that the element gives as `md5`. It is no digest of the file that one could rely on.
struct DayOneElement {
    /// The path of a recording in the zip, by the name that an element gives; nil when the zip has none.
    let recording: (String) -> String?

    private typealias Fault = ImportFields.Fault

    private static let attachments = ["photos", "videos", "pdfAttachments"]

    func read(_ object: JSONObject) -> ImportElement {
        let fields = ImportFields(object)
        do throws(Fault) {
            return .entries(try entries(fields))
        } catch {
            return .refused(error.code, Self.id(fields))
        }
    }

    /// The entry's own when it is a UUID, as hexadecimal digits with or without hyphens.
    private static func id(_ f: ImportFields) -> EntryID? {
        guard let text = f.value("uuid")?.string else { return nil }
        if let id = EntryID(text) { return id }
        guard text.utf8.count == 32, let octets = Hex.decode(text) else { return nil }
        return UUID(octets: octets).map { EntryID($0) }
    }

    /// The same for the same words, each time that the zip is imported.
    private static func derived(_ seed: String) -> EntryID {
        var octets = Array(SHA256.digest(Array("diary/v1/day-one/\(seed)".utf8)).prefix(16))
        // A UUID of version 8, whose bits are the maker's (RFC 9562 section 5.8).
        octets[6] = octets[6] & 0x0F | 0x80
        octets[8] = octets[8] & 0x3F | 0x80
        return EntryID(UUID(octets: octets) ?? UUID())
    }

    private func entries(_ f: ImportFields) throws(Fault) -> [ImportCandidate] {
        var dropped = 0
        /// A member as it can be read; what is there and cannot is counted.
        func known<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> Value? {
            guard let value = f.value(name) else { return nil }
            if let known = read(value) { return known }
            dropped += 1
            return nil
        }
        let text = try text(f)
        let created = known("creationDate", Self.time)
        // Without its own time an entry has that of its last change, else of its import.
        let recordedAt = created ?? known("modifiedDate", Self.time) ?? Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
        let id = Self.id(f) ?? Self.derived("\(f.value("creationDate")?.string ?? "")\n\(text ?? "")")
        var entry = ImportCandidate(id: id, recordedAt: recordedAt, facts: GivenFacts(kind: .text))
        entry.facts.timeZone = known("timeZone") { $0.string.flatMap(DeviceZone.name) }
        entry.facts.favorite = known("starred", Self.flag) ?? false
        entry.personal.edited = text
        readTags(known("tags", Self.list) ?? [], &entry, &dropped)
        var unsupported = 0
        for name in Self.attachments { unsupported += f.value(name)?.array?.count ?? 0 }
        if unsupported > 0 { entry.notes.append(.init(code: .attachmentNotSupported, count: unsupported)) }

        var entries: [ImportCandidate] = []
        for (number, value) in (known("audios", Self.list) ?? []).prefix(100).enumerated() {
            guard let object = value.object else {
                dropped += 1
                continue
            }
            let audio = ImportFields(object)
            let given = (Self.line(audio.value("md5")), Self.line(audio.value("identifier")))
            guard let name = given.0 ?? given.1, let path = recording(name) else {
                entry.notes.append(.init(outcome: .failed, code: .fileMissing, name: given.0 ?? given.1))
                continue
            }
            guard let format = Self.format(of: path) else {
                entry.notes.append(.init(code: .recordingNotSupported, name: path))
                continue
            }
            // The first is the entry's; an entry has one recording here, so the others become entries of their own.
            var voice = entry
            if !entries.isEmpty {
                voice = ImportCandidate(
                    id: Self.derived("\(id)/\(name)/\(number)"), recordedAt: audio.value("date").flatMap(Self.time) ?? recordedAt,
                    facts: entry.facts)
                voice.personal.tags = entry.personal.tags
            }
            voice.facts.kind = .voice
            voice.recording = .init(file: .init(member: path), format: format)
            voice.facts.durationSeconds = (try? audio.number("duration", in: 0...1_000_000)).flatMap { $0 }
            entries.append(voice)
        }
        if dropped > 0 { entry.notes.append(.init(code: .detailsDropped, count: dropped)) }
        guard !entries.isEmpty else { return [entry] }
        (entries[0].notes, entries[0].personal.tags) = (entry.notes, entry.personal.tags)
        return entries
    }

    private func text(_ f: ImportFields) throws(Fault) -> String? {
        var text = f.value("text")?.string
        let rich = f.value("richText")
        let parsed = rich?.object ?? rich?.string.flatMap { LenientJSON.value(Array($0.utf8))?.object }
        if text == nil, let contents = parsed?["contents"]?.array {
            text = contents.compactMap { $0.object?["text"]?.string }.joined()
        }
        text = text?.replacing("\0", with: "")
        // Before links are looked for.
        guard text.map({ $0.unicodeScalars.count <= 2 * PersonalText.text.length }) ?? true else { throw Fault(code: .textTooLong) }
        guard let plain = text.map(MomentText.plain), !plain.allSatisfy(\.isWhitespace) else { return nil }
        guard plain.unicodeScalars.count <= PersonalText.text.length else { throw Fault(code: .textTooLong) }
        return plain
    }

    private func readTags(_ given: [JSONValue], _ entry: inout ImportCandidate, _ unread: inout Int) {
        let named = given.compactMap { Self.line($0) ?? $0.object.flatMap { Self.line($0["name"]) } }
        unread += given.count { $0 != .string("") } - named.count
        var labels = Set<EntryLabel>()
        for tag in named where tag.unicodeScalars.count <= PersonalPart.tagLength {
            guard entry.personal.tags.count < PersonalPart.tagCount else { break }
            if labels.insert(EntryLabel(.tag, tag)).inserted { entry.personal.tags.append(tag) }
        }
        let dropped = Set(named.map { EntryLabel(.tag, $0) }).subtracting(labels).count
        if dropped > 0 { entry.notes.append(.init(code: .tagsDropped, count: dropped)) }
    }

    // MARK: values of other types

    private static func line(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)? where !text.isEmpty && text.utf8.count <= 10_000 && OneLineText.accepts(text): text
        case .number(let number)?: number
        default: nil
        }
    }

    private static func list(_ value: JSONValue) -> [JSONValue]? {
        switch value {
        case .array(let values): values
        case .object, .string: [value]
        default: nil
        }
    }

    private static func flag(_ value: JSONValue) -> Bool? {
        switch value {
        case .bool(let flag): flag
        case .number(let number): Double(number).map { $0 != 0 }
        case .string(let text):
            ["true", "yes", "1"].contains(text.lowercased()) ? true : ["false", "no", "0", ""].contains(text.lowercased()) ? false : nil
        default: nil
        }
    }

    /// RFC 3339, with a blank for the `T`, an offset without its colon, no offset (UTC), no time; or seconds or milliseconds since 1970.
    private static func time(_ value: JSONValue) -> Date? {
        let date: Date?
        switch value {
        case .number(let spelling):
            date = Double(spelling).map { Date(timeIntervalSince1970: abs($0) > 100_000_000_000 ? $0 / 1_000 : $0) }
        case .string(let text): date = RFC3339.parse(text) ?? rewritten(text).flatMap(RFC3339.parse)
        default: date = nil
        }
        return date.flatMap { EntryFacts.canBeRecorded(at: $0) ? $0 : nil }
    }

    private static func rewritten(_ text: String) -> String? {
        let bytes = Array(text.utf8).split(whereSeparator: { $0 == 0x20 || $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "t") })
        guard let day = bytes.first, bytes.count <= 3 else { return nil }
        var time = bytes.count > 1 ? String(decoding: bytes[1], as: UTF8.self) : "00:00:00Z"
        if bytes.count > 2 { time += String(decoding: bytes[2], as: UTF8.self) }
        let clock = time.prefix { $0.isNumber || $0 == ":" || $0 == "." }
        var zone = String(time.dropFirst(clock.count))
        if zone.isEmpty || zone == "UTC" || zone == "GMT" { zone = "Z" }
        if zone.utf8.count == 5, !zone.contains(":") { zone = "\(zone.prefix(3)):\(zone.suffix(2))" }
        if zone.utf8.count == 3, zone != "UTC" { zone += ":00" }
        let seconds = clock.utf8.count == 5 ? "\(clock):00" : String(clock)
        return "\(String(decoding: day, as: UTF8.self))T\(seconds)\(zone)"
    }

    static func format(of path: String) -> AudioFormat? {
        let ending = path.split(separator: ".").last.map { $0.lowercased() }
        return AudioFormat.allCases.first { $0.fileExtension == ending }
    }
}
