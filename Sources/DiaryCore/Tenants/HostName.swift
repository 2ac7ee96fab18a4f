/// The name of a host, in lower case and without a dot at its end: ASCII, so an international one in its `xn--` form.
package struct HostName: Sendable, Equatable {
    package let text: String

    /// nil when it is not a name of letters, digits, dashes and dots; an IPv4 address is accepted too.
    package init?(_ text: some StringProtocol) {
        let name = text.lowercased()
        let host = name.hasSuffix(".") ? String(name.dropLast()) : name
        guard host.utf8.count <= 253 else { return nil }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let dash = UInt8(ascii: "-")
        guard
            labels.allSatisfy({ label in
                (1...63).contains(label.count) && label.first != dash && label.last != dash
                    && label.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == dash }
            })
        else { return nil }
        self.text = host
    }

    /// - Parameter authority: a host with or without a port.
    package init?(authority: String) {
        let host = authority.utf8.lastIndex(of: UInt8(ascii: ":")).map { authority[..<$0] } ?? authority[...]
        self.init(host)
    }
}
