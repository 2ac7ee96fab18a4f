/// The grammar of a request head as a state machine over bytes (RFC 9112, RFC 9110 section 5.6.2), without the leniency it allows.
struct HeadRules {
    enum Verdict: Equatable {
        case more
        case complete
        case refuse(ListenerRefusal)
    }

    enum Position { case start, method, target, version, lineStart, name, value }

    let limits: ListenerLimits
    private(set) var position = Position.start
    private(set) var sawCR = false
    private(set) var sawBlankLine = false
    private(set) var method: [UInt8] = []
    private(set) var version: [UInt8] = []
    private(set) var targetBytes = 0
    private(set) var headerBytes = 0
    private(set) var headerCount = 0
    private(set) var origin = OriginField()

    /// - Returns: how many bytes belong to the head so far, and what to do.
    mutating func scan(_ bytes: some Collection<UInt8>) -> (taken: Int, Verdict) {
        var taken = 0
        for byte in bytes {
            taken += 1
            let verdict = step(byte)
            if verdict != .more { return (taken, verdict) }
        }
        return (taken, .more)
    }

    private mutating func step(_ byte: UInt8) -> Verdict {
        if sawCR {
            guard byte == 0x0A else { return .refuse(.malformedRequest) }
            sawCR = false
            return endOfLine()
        }
        if byte == 0x0D {
            sawCR = true
            return .more
        }
        if position == .lineStart || position == .name || position == .value {
            headerBytes += 1
            if headerBytes > limits.headerBytes { return .refuse(.headersTooLarge) }
        }
        switch position {
        case .start, .method:
            position = .method
            if byte == 0x20 {
                guard Self.methods.contains(method) else { return .refuse(Self.isToken(method) ? .unknownMethod : .malformedRequest) }
                position = .target
            } else {
                guard Self.isTokenByte(byte), method.count < 24 else { return .refuse(.malformedRequest) }
                method.append(byte)
            }
        case .target:
            if byte == 0x20 {
                guard targetBytes > 0 else { return .refuse(.malformedRequest) }
                position = .version
            } else {
                // A fragment is never sent (RFC 9112 section 3.2).
                guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") else { return .refuse(.malformedRequest) }
                targetBytes += 1
                if targetBytes > limits.uriBytes { return .refuse(.uriTooLong) }
            }
        case .version:
            guard version.count < 8 else { return .refuse(.malformedRequest) }
            version.append(byte)
        case .lineStart:
            // White space here would fold the line before.
            guard Self.isTokenByte(byte) else { return .refuse(.malformedRequest) }
            headerCount += 1
            if headerCount > limits.headerCount { return .refuse(.headersTooLarge) }
            position = .name
            origin.beginName(byte)
        case .name:
            if byte == UInt8(ascii: ":") {
                position = .value
                origin.endName()
            } else if Self.isTokenByte(byte) {
                origin.takeName(byte)
            } else {
                return .refuse(.malformedRequest)
            }
        case .value:
            guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { return .refuse(.malformedRequest) }
            origin.takeValue(byte)
        }
        return .more
    }

    private mutating func endOfLine() -> Verdict {
        switch position {
        case .start:
            // One empty line before a request is forgiven (RFC 9112 section 2.2).
            guard !sawBlankLine else { return .refuse(.malformedRequest) }
            sawBlankLine = true
        case .version:
            guard version == Array("HTTP/1.1".utf8) || version == Array("HTTP/1.0".utf8) else { return .refuse(.malformedRequest) }
            position = .lineStart
        case .lineStart: return .complete
        case .value:
            position = .lineStart
            origin.endValue()
        case .method, .target, .name: return .refuse(.malformedRequest)
        }
        return .more
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"].map { Array($0.utf8) }

    private static func isToken(_ bytes: [UInt8]) -> Bool { !bytes.isEmpty && bytes.allSatisfy(isTokenByte) }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "*"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
