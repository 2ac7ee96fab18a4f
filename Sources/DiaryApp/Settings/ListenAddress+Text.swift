import Glibc
import HTTPListener

extension ListenAddress {
    /// `host:port`, `[IPv6]:port` or the absolute path of a Unix socket; anything else is nil.
    init?(_ text: String) {
        if text.hasPrefix("/") {
            // What `sun_path` holds, with its zero.
            guard text.utf8.count <= 107 else { return nil }
            self = .unix(path: text)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        var host = text[..<colon]
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isDigit), let port = UInt16(digits) else { return nil }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        // Without brackets the colon before the port is ambiguous.
        guard !host.isEmpty, host.contains(":") == isBracketed, !host.contains(where: { "[]/ ".contains($0) }) else { return nil }
        self = .tcp(host: String(host), port: Int(port))
    }

    /// The other way round, with brackets where they are needed.
    static func text(host: String, port: Int) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Where a client on this machine finds a server that listens here.
    var localURL: String {
        switch self {
        case .unix, .inherited: "http://localhost"
        case .tcp("0.0.0.0", let port): "http://127.0.0.1:\(port)"
        case .tcp("::", let port): "http://[::1]:\(port)"
        case .tcp(let host, let port): "http://" + Self.text(host: host, port: port)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

enum UnixSocket {
    /// Whether a server listens at the path. A socket file without one was left by a killed server.
    static func answers(_ path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // With a full backlog there is a server, too.
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 || errno == EAGAIN
            }
        }
    }
}
