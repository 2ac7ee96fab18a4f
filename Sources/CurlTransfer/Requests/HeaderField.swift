/// One header line in libcurl's form; nil when name or value could become more than one line.
enum HeaderField {
    /// Set by libcurl, or describing the connection.
    private static let reserved: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade", "expect",
        "proxy-authorization", "proxy-connection", "cookie", "accept-encoding",
    ]

    static func line(_ name: String, _ value: String) -> String? {
        guard (1...128).contains(name.utf8.count), name.utf8.allSatisfy(isToken), !reserved.contains(name.lowercased()) else { return nil }
        guard value.utf8.count <= 16 * 1024, value.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7E).contains($0) }) else { return nil }
        // "Name:" would remove a header of libcurl; an empty value is written with a semicolon (CURLOPT_HTTPHEADER).
        return value.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) ? "\(name);" : "\(name): \(value)"
    }

    /// `tchar` of RFC 9110 section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
