import FoundationEssentials
import WireFormats

@testable import DiaryCore
@testable import DiaryHTTP

extension FuzzTarget {
    /// The parser under two sets of rules and the writer against each other.
    static let json = FuzzTarget(name: "json") { input in
        if input.flag() {
            let text = input.text()
            guard let read = parsed(JSONWriter.object { $0.member("text", text) }), case .object(let members) = read else {
                return hold(false, "what was written is not JSON")
            }
            guard case .string(let back)? = members["text"] else { return hold(false, "a text that is none when it is read") }
            return hold(back.isExactly(text), "another text than was written")
        }
        let bytes = input.all()
        let value = try? JSONParser.parse(bytes)
        if let value {
            hold(depth(value) <= 32, "deeper than allowed")
            var spelling: [UInt8] = []
            spell(value, &spelling)
            hold((try? JSONParser.parse(spelling)) == value, "another document when it is written and read again")
        }
        if let strict = JSONParser.object(bytes, .jose), bytes.allSatisfy({ $0 < 0x80 }) {
            hold(value == .object(strict), "a token's document that reads otherwise as a body")
            hold(strict.count <= 64 && depth(.object(strict)) <= 6, "more than a token's rules allow")
        }
    }

    /// A long list, element by element: the same elements as the parser finds in the whole document, wherever the pieces end.
    static let listing = FuzzTarget(name: "listing") { input in
        let size = 1 + input.choice(64)
        let bytes = input.all()
        var at = 0
        var reader = JSONListReader(list: "entries", maximumElement: 100_000, maximumDepth: 30)
        var elements: [JSONValue?] = []
        do {
            while let element = try reader.next({
                defer { at = min(at + size, bytes.count) }
                return Array(bytes[at..<min(at + size, bytes.count)])
            }) {
                guard case .bytes(let bytes) = element else {
                    elements.append(nil)
                    continue
                }
                elements.append(try? JSONParser.parse(bytes))
            }
        } catch {
            elements = [nil]
        }
        guard let whole = JSONParser.object(bytes, JSONRules()), whole.count <= 64 else { return }
        guard whole.names.allSatisfy({ $0.utf8.count < 200 && $0.utf8.allSatisfy { $0 > 0x1F && $0 < 0x7F } }) else { return }
        guard let list = whole["entries"] else { return hold(!reader.hasList, "a list that is not there") }
        guard let values = list.array else { return hold(elements.contains { $0 == nil }, "a list that is none") }
        hold(elements == values.map(Optional.some), "other elements than the parser finds")
    }

    /// Every model that a body is read into: what is accepted keeps the contract's limits.
    static let fields = FuzzTarget(name: "fields") { input in
        let model = input.choice(6)
        guard let value = try? JSONParser.parse(input.all()) else { return }
        var f = Fields(value)
        switch model {
        case 0:
            let draft = EntryFields.draft(&f, idempotencyKey: nil)
            guard (try? f.finish()) != nil else { return }
            personal(draft.personal)
            hold((draft.facts.kind == .text) == (draft.personal.edited != nil), "a text entry without text, or a recording with one")
            if let time = draft.recordedAt {
                hold((-2_208_988_800..<7_258_118_400).contains(time.timeIntervalSince1970), "a time outside 1900 to 2199")
            }
            if let seconds = draft.facts.durationSeconds { hold(seconds.isFinite, "a duration that is no number") }
            if let digest = draft.facts.sha256 { hold(digest.count == 32, "a digest of another length") }
            if let zone = draft.facts.timeZone {
                hold(zone.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && zone.utf8.count <= 64, "a zone of other letters")
            }
        case 1:
            let patch = EntryFields.patch(&f)
            guard (try? f.finish()) != nil, case .object(let members) = value else { return }
            let known = PersonalText.all.map(\.name) + ["tags", "language", "favorite", "keep_audio", "recorded_at", "time_zone"]
            hold(Set(members.names).isSubset(of: known), "a member that is not known")
            var part = PersonalPart()
            for text in PersonalText.all { part[text] = patch[text].applied(to: nil) }
            if case .set(let tags) = patch.tags { part.tags = tags }
            personal(part)
        case 2:
            let form = RegistrationFields.read(&f) { _, _ in nil }
            guard (try? f.finish()) != nil else { return }
            guard let form else { return hold(false, "no form and no error") }
            text(form.email.text, 3...254)
            hold(form.email.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an address of other letters")
            text(form.password, 1...1024)
        case 4:
            let patch = ProfileFields.patch(&f)
            guard (try? f.finish()) != nil else { return }
            if case .set(let name) = patch.name { text(name, 1...100) }
            if let minute = patch.dayEndsMinute {
                hold((0..<720).contains(minute), "a day that ends in the afternoon")
                hold(ProfileFields.clock(minute).utf8.count == 5, "a time of another length")
            }
            hold((patch.languages ?? []).count <= 20, "too many languages")
        default:
            let form = ExportFields.read(&f, idempotencyKey: nil)
            guard (try? f.finish()) != nil else { return }
            hold(form != nil, "no form and no error")
        }
    }

    private static func personal(_ part: PersonalPart) {
        if let title = part.title { text(title, 1...200) }
        if let edited = part.edited { text(edited, 1...200_000) }
        if let mood = part.mood { text(mood, 1...50) }
        hold(part.tags.count <= 20, "too many tags")
        for tag in part.tags { text(tag, 1...50) }
    }

    private static func text(_ text: String, _ length: ClosedRange<Int>) {
        hold(length.contains(text.unicodeScalars.count), "a text outside its limits")
        hold(!text.utf8.contains(0), "a text with U+0000")
    }

    private static func parsed(_ document: [UInt8]) -> JSONValue? { try? JSONParser.parse(document) }

    private static func depth(_ value: JSONValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map { depth($0.value) }.max() ?? 0)
        default: 0
        }
    }

    /// Every character escaped.
    private static func spell(_ value: JSONValue, _ out: inout [UInt8]) {
        switch value {
        case .null: out += "null".utf8
        case .bool(let flag): out += "\(flag)".utf8
        case .number(let digits): out += digits.utf8
        case .string(let text): spell(text, &out)
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                spell(element, &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let object):
            out.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                spell(member.name, &out)
                out.append(UInt8(ascii: ":"))
                spell(member.value, &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    private static func spell(_ text: String, _ out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for unit in text.utf16 {
            let digits = String(unit, radix: 16)
            out += ("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits).utf8
        }
        out.append(UInt8(ascii: "\""))
    }
}
