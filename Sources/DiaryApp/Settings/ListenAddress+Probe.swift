import Glibc
import HTTPListener

/// Why the service cannot listen at an address, in words for the operator.
struct CannotListen: Error, CustomStringConvertible {
    let place: String
    let reason: String
    var description: String { "cannot listen on \(place): \(reason)" }
}

extension ListenAddress {
    /// Tries every address that the name resolves to, because a client may use any of them. Runs before anything else is started.
    func probe(names: ListenOptionNames) throws(CannotListen) {
        switch self {
        case .unix(let path): try Self.probe(path: path, names)
        case .tcp(_, port: 0), .inherited: return
        case .tcp(let host, let port): try Self.probe(host, port, names)
        }
    }

    /// A socket file without a listener was left by a killed server; the listener replaces it.
    private static func probe(path: String, _ names: ListenOptionNames) throws(CannotListen) {
        if UnixSocket.answers(path) {
            throw CannotListen(place: path, reason: "a server listens there already; give another with \(names.host)")
        }
    }

    private static func probe(_ host: String, _ port: Int, _ names: ListenOptionNames) throws(CannotListen) {
        let place = text(host: host, port: port)
        var hints = addrinfo()
        hints.ai_socktype = streamType
        // What is written as an address is not asked of the name servers.
        if isNumeric(host) { hints.ai_flags = AI_NUMERICHOST }
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else {
            throw CannotListen(place: place, reason: "\(unresolved(host)); give another with \(names.host)")
        }
        defer { freeaddrinfo(list) }
        var next = list
        while let candidate = next?.pointee {
            if let fault = bindFault(candidate) {
                let option = fault == EADDRNOTAVAIL ? names.host : names.port
                throw CannotListen(place: place, reason: "\(words(fault, port)); give another with \(option)")
            }
            next = candidate.ai_next
        }
    }

    private static func unresolved(_ host: String) -> String {
        if host.contains(":") { return "\(host) is no IPv6 address" }
        return isNumeric(host)
            ? "\(host) is no IPv4 address, which has four numbers from 0 to 255" : "the host is unknown: \(host) has no address"
    }

    /// Meant as an address: with a colon, or of digits and points alone.
    private static func isNumeric(_ host: String) -> Bool {
        host.contains(":") || host.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// The errno of binding, or nil. An address family that this machine does not have is no fault: the name may resolve to another.
    private static func bindFault(_ candidate: addrinfo) -> Int32? {
        let descriptor = socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        return bind(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 ? nil : errno
    }

    private static func words(_ fault: Int32, _ port: Int) -> String {
        switch fault {
        case EADDRINUSE: "port \(port) is taken"
        case EADDRNOTAVAIL: "this machine does not have that address"
        case EACCES: "port \(port) needs an administrator"
        default: String(cString: strerror(fault))
        }
    }

    private static var streamType: Int32 { Int32(SOCK_STREAM.rawValue) }
}

/// The names of the options or the setting that choose where the API listens, for error messages that say what to change.
struct ListenOptionNames {
    let host: String
    let port: String

    /// The options of `diary dev`.
    static let options = ListenOptionNames(host: "--host", port: "--port")
    /// The setting `DIARY_LISTEN`, which names host and port together.
    static let setting = ListenOptionNames(host: Settings.listenAddress.name, port: Settings.listenAddress.name)
}
