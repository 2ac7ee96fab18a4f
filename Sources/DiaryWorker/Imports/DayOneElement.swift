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
        guard let recordedAt = try f.time("creationDate") else { throw Fault() }
        let text = try text(f)
        let id = Self.id(f) ?? Self.derived("\(f.value("creationDate")?.string ?? "")\n\(text ?? "")")
        var entry = ImportCandidate(id: id, kind: .text, recordedAt: recordedAt)
        entry.timeZone = try f.text("timeZone", max: 64).map { ZoneDatabase.spelling(of: $0) ?? $0 }
        entry.favorite = try f.bool("starred") ?? false
        entry.personal.edited = text
        try readTags(f, &entry)
        var unsupported = 0
        for name in Self.attachments { unsupported += f.value(name)?.array?.count ?? 0 }
        if unsupported > 0 { entry.notes.append(.init(code: .attachmentNotSupported, count: unsupported)) }

        var entries: [ImportCandidate] = []
        for (number, audio) in try f.objects("audios", max: 100).enumerated() {
            let given = (try audio.line("md5", max: 64), try audio.line("identifier", max: 64))
            guard let name = given.0 ?? given.1, let path = recording(name) else {
                entry.notes.append(.init(outcome: .failed, code: .fileMissing, name: given.0 ?? given.1))
                continue
            }
            guard let format = Self.format(of: path) else {
                entry.notes.append(.init(code: .recordingNotSupported, name: path))
                continue
            }
            // The first is the entry's; an entry has one recording here, so the others become entries of their own.
            var voice =
                entries.isEmpty ? entry : ImportCandidate(id: Self.derived("\(id)/\(name)/\(number)"), kind: .voice, recordedAt: recordedAt)
            voice.kind = .voice
            voice.recording = .init(file: .init(member: path), format: format)
            voice.durationSeconds = (try? audio.number("duration", in: 0...1_000_000)).flatMap { $0 }
            if !entries.isEmpty {
                voice.recordedAt = ((try? audio.time("date")) ?? nil) ?? recordedAt
                (voice.timeZone, voice.favorite, voice.personal.tags) = (entry.timeZone, entry.favorite, entry.personal.tags)
            }
            entries.append(voice)
        }
        guard !entries.isEmpty else { return [entry] }
        entries[0].notes = entry.notes
        return entries
    }

    private func text(_ f: ImportFields) throws(Fault) -> String? {
        var text = try f.text("text", max: 2 * ImportFields.textLength, code: .textTooLong)
        if text == nil, let rich = try f.text("richText", max: ImportFields.machineTextLength, code: .textTooLong),
            let contents = JSONParser.object(Array(rich.utf8), JSONRules())?["contents"]?.array
        {
            text = contents.compactMap { $0.object?["text"]?.string }.joined()
        }
        // Of the words of `richText`, as of those of `text`, before their links are looked for.
        guard text.map({ $0.unicodeScalars.count <= 2 * ImportFields.textLength }) ?? true else { throw Fault(code: .textTooLong) }
        guard let plain = text.map(MomentText.plain), !plain.isEmpty else { return nil }
        guard plain.unicodeScalars.count <= ImportFields.textLength else { throw Fault(code: .textTooLong) }
        return plain
    }

    private func readTags(_ f: ImportFields, _ entry: inout ImportCandidate) throws(Fault) {
        let given = try f.texts("tags", maxCount: 1_000, maxEach: 10_000)
        var labels = Set<EntryLabel>()
        for tag in given where !tag.isEmpty && tag.unicodeScalars.count <= PersonalPart.tagLength {
            guard entry.personal.tags.count < PersonalPart.tagCount else { break }
            if labels.insert(EntryLabel(.tag, tag)).inserted { entry.personal.tags.append(tag) }
        }
        let dropped = Set(given.filter { !$0.isEmpty }.map { EntryLabel(.tag, $0) }).subtracting(labels).count
        if dropped > 0 { entry.notes.append(.init(code: .tagsDropped, count: dropped)) }
    }

    static func format(of path: String) -> AudioFormat? {
        let ending = path.split(separator: ".").last.map { $0.lowercased() }
        return AudioFormat.allCases.first { $0.fileExtension == ending }
    }
}
