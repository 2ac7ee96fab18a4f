extension RedisEndpoint {
    /// Reads `redis://[user:password@]host[:port][/db]` or `redis+unix://[user:password@]/path[?db=0]`.
    /// User and password may be percent-encoded; `:password@` without a user signs in as the default user. IPv6 hosts are bracketed.
    package init(url: String) throws(RedisURLError) {
        if let rest = Self.dropping("redis+unix://", from: url) {
            try self.init(unix: rest)
        } else if let rest = Self.dropping("redis://", from: url) {
            try self.init(tcp: rest)
        } else {
            throw .unknownScheme
        }
    }

    private init(tcp rest: Substring) throws(RedisURLError) {
        // The authority ends at the first "/", "?" or "#"; its last "@" ends the user info (RFC 3986, 3.2).
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let tail = rest[authority.endIndex...]
        let (user, password, location) = try Self.userInfo(authority)
        let (host, port) = try Self.hostAndPort(location)
        var database = 0
        if tail.hasPrefix("/") {
            let digits = tail.dropFirst()
            database = digits.isEmpty ? 0 : try Self.database(digits)
        } else if !tail.isEmpty {
            throw .badDatabase
        }
        self.init(address: .tcp(host: host, port: port), user: user, password: password, database: database)
    }

    private init(unix rest: Substring) throws(RedisURLError) {
        let beforeQuery = rest.prefix { $0 != "?" }
        let query = rest[beforeQuery.endIndex...].dropFirst()
        let authority = beforeQuery.prefix { $0 != "/" }
        let (user, password, host) = try Self.userInfo(authority)
        let path = try Self.decoded(beforeQuery[authority.endIndex...])
        // sun_path holds 108 bytes with its terminator.
        guard host.isEmpty, path.hasPrefix("/"), path.utf8.count <= 107, !path.utf8.contains(0) else { throw .badPath }
        var database = 0
        if !query.isEmpty {
            guard let digits = Self.dropping("db=", from: query) else { throw .badDatabase }
            database = try Self.database(digits)
        }
        self.init(address: .unixSocket(path: path), user: user, password: password, database: database)
    }

    private static func dropping(_ prefix: String, from text: some StringProtocol) -> Substring? {
        text.hasPrefix(prefix) ? Substring(text).dropFirst(prefix.count) : nil
    }

    private static func userInfo(_ authority: Substring) throws(RedisURLError) -> (String?, String?, Substring) {
        guard let at = authority.lastIndex(of: "@") else { return (nil, nil, authority) }
        let info = authority[..<at]
        let location = authority[authority.index(after: at)...]
        guard let colon = info.firstIndex(of: ":") else { return (try decoded(info), nil, location) }
        let user = try decoded(info[..<colon])
        return (user.isEmpty ? nil : user, try decoded(info[info.index(after: colon)...]), location)
    }

    private static func hostAndPort(_ location: Substring) throws(RedisURLError) -> (String, Int) {
        let host: Substring
        var after: Substring
        if location.hasPrefix("[") {
            guard let end = location.firstIndex(of: "]") else { throw .missingHost }
            host = location[location.index(after: location.startIndex)..<end]
            after = location[location.index(after: end)...]
        } else {
            host = location.prefix { $0 != ":" }
            after = location[host.endIndex...]
        }
        guard !host.isEmpty else { throw .missingHost }
        if after.isEmpty { return (String(host), 6379) }
        guard after.removeFirst() == ":", let port = UInt16(after), port > 0 else { throw .badPort }
        return (String(host), Int(port))
    }

    private static func database(_ digits: Substring) throws(RedisURLError) -> Int {
        guard let number = Int(digits), (0...1_000_000).contains(number) else { throw .badDatabase }
        return number
    }

    private static func decoded(_ text: Substring) throws(RedisURLError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else { throw .badEscape }
            bytes.append(high << 4 | low)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badEscape }
        return text
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.flatMap { UInt8(exactly: $0) }
    }
}
