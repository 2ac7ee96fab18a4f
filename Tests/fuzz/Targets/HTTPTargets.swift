import FoundationEssentials
import NIOCore
import NIOEmbedded
import NIOHTTP1
import WireFormats

@testable import DiaryCore
@testable import DiaryHTTP
@testable import HTTPListener

extension FuzzTarget {
    /// Request heads: the same verdict however they are cut, and no other reading of them by the parser behind.
    static let head = FuzzTarget(name: "head") { input in
        let cut = 1 + input.choice(40)
        let bytes = input.all()
        var limits = ListenerLimits()
        limits.headerBytes = 400
        limits.headerCount = 8
        limits.uriBytes = 100
        var whole = HeadRules(limits: limits)
        let (taken, verdict) = whole.scan(bytes)
        var pieces = HeadRules(limits: limits)
        var (sum, last) = (0, HeadRules.Verdict.more)
        var rest = bytes[...]
        while last == .more, !rest.isEmpty {
            let (more, next) = pieces.scan(rest.prefix(cut))
            (sum, last) = (sum + more, next)
            rest = rest.dropFirst(cut)
        }
        hold(last == verdict && sum == taken, "another verdict when the bytes come in pieces")
        hold(whole.origin.value == pieces.origin.value, "another origin when the bytes come in pieces")
        guard verdict == .complete else { return }

        let head = Array(bytes.prefix(taken))
        let lines = String(decoding: head, as: UTF8.self).unicodeScalars.split(separator: "\r\n".unicodeScalars).map(String.init)
        hold(head.suffix(4) == [13, 10, 13, 10], "a head that does not end in an empty line")
        hold(!lines.contains { $0.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 } }, "a line end or NUL inside a line")
        hold(lines.count <= 9 && head.count <= 400 + 100 + 40, "more than allowed")
        let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        hold(parts.count == 3 && parts[1].utf8.count <= 100, "a request line that is not three words")
        for line in lines.dropFirst() {
            let name = line.utf8.prefix { $0 != UInt8(ascii: ":") }
            hold(
                !name.isEmpty && name.count < line.utf8.count && name.allSatisfy { $0 > 0x20 && $0 < 0x7F },
                "a field without a name")
        }
        parser(head, String(parts[1]), lines.count - 1)
    }

    private static func parser(_ head: [UInt8], _ target: String, _ fields: Int) {
        let channel = EmbeddedChannel(handler: ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        guard (try? channel.writeInbound(ByteBuffer(bytes: head))) != nil else { return }
        var heads: [HTTPRequestHead] = []
        while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { heads.append(head) }
        }
        hold(heads.count <= 1, "one head, two requests")
        guard let read = heads.first else { return }
        hold(read.uri.isExactly(target), "another target than the scanner saw")
        hold(read.headers.count == fields, "another number of fields than the scanner saw")
        guard let framing = try? FramingRules.framing(of: read) else { return }
        let (lengths, codings) = (read.headers["content-length"], read.headers["transfer-encoding"])
        hold(lengths.isEmpty || codings.isEmpty, "a length and a coding")
        hold(lengths.count <= 1 && codings.count <= 1, "two lengths or codings")
        switch framing {
        case .chunked: hold(codings.count == 1, "chunks without a coding")
        case .length(let count): hold(count > 0 && Int(lengths.first ?? "") == count, "another length")
        case .head: hold(codings.isEmpty && (lengths.isEmpty || Int(lengths.first ?? "") == 0), "a body that is never read")
        default: hold(false, "a framing that is none")
        }
    }

    /// Queries, times, days, and the fields of a request that are read by hand.
    static let query = FuzzTarget(name: "query") { input in
        switch input.choice(4) {
        case 0:
            var query = Query(input.text())
            guard case .byDate(let asked, _)? = try? PageFields.read(&query) else { return }
            hold((1...200).contains(asked.limit), "a page of another size")
            if let from = asked.from, let to = asked.to { hold(from <= to, "days that run backwards") }
            for label in asked.filter.labels {
                hold(EntryLabel(label.kind, label.text) == label, "a label that is another when it is normalised again")
            }
        case 1:
            let text = input.text()
            if let date = RFC3339.parse(text) {
                let spelling = RFC3339.text(date)
                hold(
                    spelling.utf8.count == 24 && RFC3339.parse(spelling).map(RFC3339.text) == spelling, "a time that reads otherwise again")
                hold(abs((RFC3339.parse(spelling) ?? .distantPast).timeIntervalSince(date)) < 0.0011, "another time")
                hold(HTTPDate.text(date).utf8.count == 29, "a date of another length")
            }
            if let day = CalendarDay(text) { hold(day.description.isExactly(text), "a day with two spellings") }
            if let time = TraceParent(text) {
                hold("00-\(time.traceID)-\(time.parentID)-\(text.suffix(2))".isExactly(text), "a trace of another form")
            }
            _ = AcceptedTypes([text]).prefersHTML
        case 2:
            let text = input.text()
            if let plain = PercentEncoding.decodeText(text) {
                hold(!plain.utf8.contains(0) && plain.utf8.count <= text.utf8.count, "U+0000 or more than there was")
            }
            if case .versions(let versions)? = VersionTag.condition(text) {
                for version in versions { hold(text.contains(VersionTag.text(version)), "a version that was not named") }
            }
            if let id = EntryID(text) { hold(id.description.isExactly(text.lowercased()), "an id with more than two spellings") }
        default:
            let text = input.text()
            guard let address = IPAddress(text) else { return }
            hold(address.bytes.count == 4 || address.bytes.count == 16, "an address of another length")
            let spelling =
                address.bytes.count == 4
                ? address.bytes.map { String($0) }.joined(separator: ".")
                : stride(from: 0, to: 16, by: 2).map { String(Int(address.bytes[$0]) << 8 | Int(address.bytes[$0 + 1]), radix: 16) }
                    .joined(separator: ":")
            hold(IPAddress(spelling) == address, "an address that reads otherwise again")
            hold(address.isInside(address, bits: address.bytes.count * 8), "an address outside itself")
        }
    }
}
