/// The enhanced status code of a reply (RFC 3463): `5.7.1` in `550 5.7.1 text`.
package struct EnhancedStatus: Sendable, Hashable, CustomStringConvertible {
    let subject: Int
    let detail: Int
    /// 2, 4 or 5.
    let kind: Int

    /// - Parameter line: of a reply.
    /// - Returns: nil when it has none.
    init?(reply line: some Collection<UInt8>) {
        // Three digits, then a space or, before another line, a hyphen.
        let word = Array(line.dropFirst(4).prefix { $0 > 0x20 })
        let values = word.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false).map(Self.number)
        guard values.count == 3, let kind = values[0], let subject = values[1], let detail = values[2], [2, 4, 5].contains(kind) else {
            return nil
        }
        (self.kind, self.subject, self.detail) = (kind, subject, detail)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    /// Whether only an operator can mend it: the sender's address (1.7, 1.8), its quota (4.5), its login (7.8, 7.9, 7.14, 7.57), that its domain or
    /// server is not authenticated (7.20 to 7.27, RFC 7372 and 7505), that it may not send or relay (7.60, 7.64), and Exchange Online's blocks (7.5xx to
    /// 7.7xx). Not 7.1, by which servers refuse recipients as well.
    package var isAboutSender: Bool {
        switch (subject, detail) {
        case (1, 7...8), (4, 5), (7, 8...9), (7, 14), (7, 20...27), (7, 57), (7, 60), (7, 64), (7, 500...799): true
        default: false
        }
    }

    /// 7.1, by which servers refuse recipients, and whoever may not send.
    package var isUnauthorized: Bool { (subject, detail) == (7, 1) }

    /// The message is too large for the server (3.4) or the mailbox (2.3).
    var isSize: Bool { (subject, detail) == (3, 4) || (subject, detail) == (2, 3) }

    package var description: String { "\(kind).\(subject).\(detail)" }
}
