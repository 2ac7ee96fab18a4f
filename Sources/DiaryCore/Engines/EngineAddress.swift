/// The base address of an engine's server: `https://api.openai.com/v1`.
package struct EngineAddress: Sendable, Equatable, CustomStringConvertible {
    package let isHTTPS: Bool
    /// Lower case, without brackets.
    package let host: String
    /// nil: the scheme's own.
    package let port: Int?
    /// Without a slash at its end.
    package let description: String

    /// `http` or `https`, a host, maybe a port and a path of plain segments; anything else is nil.
    package init?(_ text: String) {
        guard text.utf8.count <= 2_000, text.utf8.allSatisfy(Self.isPlain), let colon = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[colon.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        var path = rest[slash...]
        while path.last == "/" { path = path.dropLast() }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard !path.contains(where: { "[]:".contains($0) }), segments.allSatisfy({ !["", ".", ".."].contains($0) }),
            let (host, port) = Self.authority(rest[..<slash].lowercased())
        else { return nil }
        isHTTPS = scheme == "https"
        self.host = host
        self.port = port
        description = "\(scheme)://\(rest[..<slash].lowercased())\(path)"
    }

    private static func authority(_ text: String) -> (host: String, port: Int?)? {
        var host = Substring(text)
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":", host.utf8.allSatisfy({ isHexDigit($0) || $0 == 0x3A || $0 == 0x2E }),
                host.contains(":")
            else { return nil }
            if !rest.isEmpty { port = rest.dropFirst() }
        } else {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard let first = parts.first, parts.count <= 2, !first.contains(where: { "[]".contains($0) }) else { return nil }
            host = first
            if parts.count == 2 { port = parts.last }
        }
        guard !host.isEmpty, host.first != ".", host.first != "-" else { return nil }
        guard let port else { return (String(host), nil) }
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(port), (1...65_535).contains(number) else {
            return nil
        }
        return (String(host), number)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

    /// Letters, digits and `-._~/:[]`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E, 0x2F, 0x3A, 0x5B, 0x5D: true
        default: false
        }
    }

    /// Whether the host is this machine's or a private network's, as far as its name or number tells. What a name resolves to is checked
    /// when it is connected to.
    package var isPrivate: Bool {
        if host.utf8.contains(UInt8(ascii: ":")) {
            return host == "::1" || ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains { host.hasPrefix($0) }
        }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        if numbers.count == 4, parts.count == 4 {
            return switch (numbers[0], numbers[1]) {
            case (10, _), (127, _), (192, 168), (172, 16...31), (169, 254), (100, 64...127): true
            default: false
            }
        }
        // A name of one label is no host of the Internet: a container's or a network's own.
        return parts.count == 1 || ["localhost", "local", "internal", "lan"].contains(parts.last ?? "") || host.hasSuffix(".home.arpa")
    }
}
