import Glibc

/// Where one server is: `host`, `hostaddr` and `port` of a connection string, one element of each list (libpq, "Specifying Multiple Hosts").
struct ServerEndpoint: Hashable, Sendable {
    static let keywords: Set<String> = ["host", "hostaddr", "port"]

    /// nil is libpq's default.
    var host: String?
    var address: String?
    var port: String?

    /// One for each listed server. Lists that do not fit together are left as they are, for libpq to refuse.
    static func list(in given: [String: String]) -> [ServerEndpoint] {
        let (hosts, addresses, ports) = (split(given["host"]), split(given["hostaddr"]), split(given["port"]))
        let count = max(hosts.count, addresses.count)
        let fits = [hosts.count, addresses.count].allSatisfy { $0 == 0 || $0 == count } && [0, 1, count].contains(ports.count)
        guard count > 0, fits else { return [ServerEndpoint(host: given["host"], address: given["hostaddr"], port: given["port"])] }
        return (0..<count).map { index in
            ServerEndpoint(
                host: hosts.isEmpty ? nil : hosts[index], address: addresses.isEmpty ? nil : addresses[index],
                port: ports.count == 1 ? ports.first : ports.isEmpty ? nil : ports[index])
        }
    }

    private static func split(_ list: String?) -> [String] {
        guard let list, !list.isEmpty else { return [] }
        return list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// One for each address of the name. libpq would try them one after the other, all within one timeout.
    func resolved() -> [ServerEndpoint] {
        guard (address ?? "").isEmpty, let host, let first = host.first, first != "/", first != "@", !host.contains(",") else {
            return [self]
        }
        let addresses = Self.addresses(of: host)
        guard addresses.count > 1 else { return [self] }
        return addresses.map { ServerEndpoint(host: host, address: $0, port: port) }
    }

    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [String] = []
        var next = list
        while let entry = next {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                if !found.contains(address) { found.append(address) }
            }
            next = entry.pointee.ai_next
        }
        return found
    }

    /// libpq's keywords and values.
    var values: [String: String] {
        var values: [String: String] = [:]
        values["host"] = host
        values["hostaddr"] = address
        values["port"] = port
        return values
    }

    /// For the log.
    var text: String { [host, address, port].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ") }
}
