/// The words of a Day One entry. Its Markdown holds links to attachments (`![](dayone-moment://ID)`, `![](dayone-moment:/audio/ID)`), which
/// lead nowhere here, and a backslash before signs that could be Markdown (`1\.`, `\-`).
enum MomentText {
    private static let escapable = Set("\\`*_{}[]()#+-.!>|~\"'&:".utf8)

    /// Bytes. With links of any length each beginning of one would look through the rest of its line.
    private static let longestLink = 2_048

    static func plain(_ markdown: String) -> String {
        var lines: [[UInt8]] = []
        for line in markdown.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let (rest, hadLink) = withoutLinks(Array(line))
            // A line that was a link is not left empty.
            if hadLink, rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            lines.append(unescaped(rest))
        }
        lines = Array(lines.drop { $0.isEmpty })
        while lines.last?.isEmpty == true { lines.removeLast() }
        return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
    }

    private static func withoutLinks(_ line: [UInt8]) -> (rest: [UInt8], hadLink: Bool) {
        // Each beginning of a link looks ahead, which a line without a whole one is spared.
        guard line.firstRange(of: "](dayone-moment:".utf8) != nil else { return (line, false) }
        var rest: [UInt8] = []
        var hadLink = false
        var at = 0
        while at < line.count {
            if let end = linkEnd(line, from: at) {
                hadLink = true
                at = end
            } else {
                rest.append(line[at])
                at += 1
            }
        }
        return (rest, hadLink)
    }

    /// Behind the link that begins here; nil when none does.
    private static func linkEnd(_ line: [UInt8], from start: Int) -> Int? {
        let rest = line[start...].prefix(longestLink)
        guard rest.starts(with: "![".utf8), let label = rest.firstIndex(of: UInt8(ascii: "]")),
            rest[label...].starts(with: "](dayone-moment:".utf8), let end = rest[label...].firstIndex(of: UInt8(ascii: ")"))
        else { return nil }
        return end + 1
    }

    private static func unescaped(_ line: [UInt8]) -> [UInt8] {
        guard line.contains(UInt8(ascii: "\\")) else { return line }
        var plain: [UInt8] = []
        var at = 0
        while at < line.count {
            if line[at] == UInt8(ascii: "\\"), at + 1 < line.count, escapable.contains(line[at + 1]) { at += 1 }
            plain.append(line[at])
            at += 1
        }
        return plain
    }
}
