/// An address a mail can be sent to: `local@domain` of RFC 5321 in its plain form. ASCII only, no quoted local part, no
/// domain literal, no comment; 64 bytes before the `@`, 254 in all; the domain has at least two labels and its last is
/// not a number. An address of another form is accepted neither in an account nor in a mail's header.
///
/// `=?…?=` is refused before the `@`: RFC 5321 allows it, and RFC 2047 section 5 forbids an encoded word in an address, but mail programs
/// decode `=?utf-8?q?eve=40example.net?=@example.org` all the same and show another address. Quotes do not keep them from it.
package struct MailAddress: Hashable, Sendable {
    /// The address as it was given.
    package let text: String

    package init?(_ text: String) {
        self.init(text, labels: 2)
    }

    /// A sender named by the operator, whose domain may be a single label (`diary@localhost`).
    package init?(sender text: String) {
        self.init(text, labels: 1)
    }

    private init?(_ text: String, labels: Int) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 254, let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        guard Self.isLocalPart(bytes[..<at]), Self.isDomain(bytes[(at + 1)...], labels: labels) else { return nil }
        self.text = text
    }

    /// For look-up: lower-cased domain **and** local part. RFC 5321 lets a server distinguish `A@` from `a@`; none in use does,
    /// and two accounts that differ in case only would be one person's.
    package var normalised: String { text.lowercased() }

    package var domain: String {
        guard let at = text.lastIndex(of: "@") else { return "" }
        return String(text[text.index(after: at)...]).lowercased()
    }

    private static func isLocalPart(_ local: ArraySlice<UInt8>) -> Bool {
        guard (1...64).contains(local.count), !hasEncodedWord(local) else { return false }
        return local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy(isAtomText)
        }
    }

    private static func hasEncodedWord(_ local: ArraySlice<UInt8>) -> Bool {
        guard let begin = local.firstRange(of: "=?".utf8) else { return false }
        return local[begin.upperBound...].firstRange(of: "?=".utf8) != nil
    }

    private static func isDomain(_ domain: ArraySlice<UInt8>, labels minimum: Int) -> Bool {
        let labels = domain.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= minimum, let last = labels.last, !last.allSatisfy(isDigit) else { return false }
        return labels.allSatisfy { label in
            guard (1...63).contains(label.count), label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else { return false }
            return label.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// `atext` of RFC 5322 section 3.2.3.
    private static func isAtomText(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension MailAddress: CustomStringConvertible, CustomReflectable {
    /// Never the address: descriptions end up in logs.
    package var description: String { "<mail address>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
