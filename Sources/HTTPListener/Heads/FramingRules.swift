import NIOHTTP1

/// How a request's body is delimited; anything two servers could read differently is refused (RFC 9112 section 6.3; F3).
enum FramingRules {
    static func framing(of head: HTTPRequestHead) throws(ListenerRefusal) -> ConnectionState.Framing {
        let hosts = head.headers["host"]
        guard hosts.count == 1 || (hosts.isEmpty && head.version == .http1_0), hosts.allSatisfy(isHost) else { throw .malformedRequest }
        guard head.uri.hasPrefix("/") || head.uri == "*" && head.method == .OPTIONS || isAbsolute(head.uri) else { throw .malformedRequest }

        let lengths = head.headers["content-length"]
        let codings = head.headers["transfer-encoding"]
        guard codings.isEmpty else {
            guard lengths.isEmpty, codings.count == 1, codings.allSatisfy({ $0.lowercased() == "chunked" }), head.version == .http1_1 else {
                throw .malformedRequest
            }
            return .chunked
        }
        guard let length = lengths.first else { return .head }
        guard lengths.count == 1, (1...15).contains(length.utf8.count), length.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            let bytes = Int(length)
        else {
            throw .malformedRequest
        }
        return bytes == 0 ? .head : .length(bytes)
    }

    private static func isAbsolute(_ uri: String) -> Bool {
        let start = uri.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func isHost(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 255
            && value.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "["),
                    UInt8(ascii: "]"),
                    UInt8(ascii: "%"):
                    true
                default: false
                }
            }
    }
}
