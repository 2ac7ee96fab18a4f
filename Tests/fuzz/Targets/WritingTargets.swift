import FoundationEssentials

@testable import DiaryCore
@testable import DiaryMail
@testable import ZipArchive

extension FuzzTarget {
    /// Mails: no text of a person becomes a header, a boundary or a line end, and every reader gets the text back.
    static let mail = FuzzTarget(name: "mail") { input in
        let (name, to, subject) = (input.shortText(), input.flag() ? "anna@example.org" : input.shortText(), input.shortText())
        let html = input.flag() ? input.shortText() : nil
        let text = input.text()
        let message = OutgoingMessage(
            id: MailID(UUID()), fromName: name, fromAddress: "diary@example.org", to: to, subject: subject, text: text, html: html)
        guard let bytes = try? MailMessageBuilder.bytes(of: message, date: Date(timeIntervalSince1970: 1_790_000_000)) else { return }
        hold(bytes.allSatisfy { $0 == 13 || $0 == 10 || $0 == 9 || (0x20...0x7E).contains($0) }, "a byte that is not plain ASCII")
        let mail = String(decoding: bytes, as: UTF8.self)
        let lines = mail.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        hold(!lines.contains { $0.utf8.contains(13) || $0.utf8.contains(10) }, "a bare line end")
        hold(lines.allSatisfy { $0.utf8.count <= 76 + 254 }, "a line longer than addresses make it")
        hold(!lines.contains("."), "a line that ends the message in SMTP")
        let fields = lines.prefix { !$0.isEmpty }.filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) }
        let expected = ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"]
        hold(fields == expected + (html == nil ? ["Content-Transfer-Encoding"] : []), "other fields than ours")
        if html == nil {
            let body = lines.drop { !$0.isEmpty }.dropFirst().dropLast()
            hold(decoded(Array(body)) == expectedLines(text), "another text than was given")
        }
    }

    /// Members of an archive: an allowed name unpacks below the target folder, and nowhere else.
    static let zip = FuzzTarget(name: "zip") { input in
        let path = input.text()
        guard ZipPath.isAllowed(path) else { return }
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        hold(!parts.contains("") && !parts.contains(".") && !parts.contains(".."), "a path that climbs or has an empty part")
        hold(!path.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }, "a control character or a backslash")
        hold(path.utf8.count <= 1024, "a path too long")
        let writer = ZipWriter(descriptor: -1)
        func add(_ path: String) -> Bool {
            (try? writer.add(
                ZipMember(
                    path: path, modified: ZipTimestamp(utc: Date(timeIntervalSince1970: 0)), method: .stored, length: 0, source: Nothing())))
                != nil
        }
        hold(add(path), "an allowed path is not taken")
        hold(!add(path) && !add(path.uppercased()) || !ZipPath.isAllowed(path.uppercased()), "one path twice")
    }

    /// Archives of others: whatever the bytes are, they are refused or their members have the stated lengths and safe names.
    static let unzip = FuzzTarget(name: "unzip") { input in
        guard let file = try? UnlinkedTempFile(folder: "/tmp"), (try? file.append(input.all())) != nil else { return }
        var entries: [ZipEntry] = []
        guard let reader = try? ZipReader(file, each: { entries.append($0) }) else { return }
        for entry in entries {
            hold(ZipPath.isAllowed(entry.path) || entry.path.hasSuffix("/"), "an unsafe name")
            guard entry.size < 1 << 20, let member = try? reader.open(entry) else { continue }
            var read: Int64 = 0
            do {
                while case let piece = try member.read(max: 4_096), !piece.isEmpty { read += Int64(piece.count) }
            } catch {
                continue
            }
            hold(read == entry.size, "a member of another length")
        }
    }

    /// RFC 2045 section 6.7, read as strictly as it is written.
    private static func decoded(_ lines: [String]) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var current: [UInt8] = []
        for line in lines {
            hold(line.utf8.count <= 76 && line.utf8.last != 0x20 && line.utf8.last != 0x09, "a line too long, or white space at its end")
            var rest = line.bytes[...]
            var continues = false
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "=") else {
                    current.append(byte)
                    continue
                }
                if rest.isEmpty {
                    continues = true
                } else {
                    let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                    let value = UInt8(digits, radix: 16)
                    hold(value != nil && digits == digits.uppercased() && digits.utf8.count == 2, "an escape without two hex digits")
                    current.append(value ?? 0)
                    rest = rest.dropFirst(2)
                }
            }
            if !continues {
                texts.append(current)
                current = []
            }
        }
        hold(current.isEmpty, "a soft break at the end")
        return texts
    }

    /// Line ends made one, control characters replaced, an empty last line left out.
    private static func expectedLines(_ text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\r", "\n":
                if scalar == "\r", scalars.first == "\n" { scalars.removeFirst() }
                lines.append([])
            case "\t": lines[lines.count - 1].append(9)
            case "\0"..<" ", "\u{7F}": lines[lines.count - 1] += "\u{FFFD}".utf8
            default: lines[lines.count - 1] += String(Character(scalar)).utf8
            }
        }
        if lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}

private final class Nothing: ZipMemberSource {
    func open() throws {}
    func read(max: Int) throws -> [UInt8] { [] }
    func close() {}
}
