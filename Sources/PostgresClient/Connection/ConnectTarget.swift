import CLibpq
import Glibc
import Synchronization

/// libpq's connection keywords and values, merged once from the caller's string and the session's settings.
struct ConnectTarget: Sendable {
    private let given: [String: String]
    /// For each server that the string lists, not for all of them together.
    let connectTimeout: Duration
    let silentServers = SilentServers()

    /// Throws `.configuration` when the string does not parse. libpq's message is dropped: it quotes the string.
    init(_ settings: ConnectionSettings) throws(DatabaseError) {
        guard var given = Self.parse(settings.conninfo) else { throw DatabaseError(.configuration) }
        let ours = settings.sessionOptions.map { "-c \($0.name)=\(Self.escaped($0.value))" }
        given["options"] = ([given["options"]].compactMap { $0 } + ours).joined(separator: " ")
        given["client_encoding"] = "UTF8"
        if given["application_name"] == nil { given["application_name"] = settings.applicationName }
        // Detects a silent peer in seconds; the kernel's default is a quarter of an hour.
        if given["tcp_user_timeout"] == nil { given["tcp_user_timeout"] = "10000" }
        connectTimeout = try Self.timeout(given["connect_timeout"]) ?? settings.connectTimeout
        self.given = given
    }

    /// What to try, in this order, until one connects: each address of each server that the string lists. Those that were silent a moment
    /// ago come last. Resolves names, which blocks.
    func attempts() -> [ConnectAttempt] {
        var endpoints = ServerEndpoint.list(in: given).flatMap { $0.resolved() }
        // libpq would draw among the one that it gets.
        if given["load_balance_hosts"] == "random" { endpoints.shuffle() }
        let (answering, silent) = silentServers.separated(endpoints)
        let rest = given.filter { !ServerEndpoint.keywords.contains($0.key) }
        func attempts(_ endpoints: [ServerEndpoint], _ attributes: String? = nil) -> [ConnectAttempt] {
            endpoints.map { endpoint in
                var values = rest.merging(endpoint.values) { $1 }
                if let attributes { values["target_session_attrs"] = attributes }
                return ConnectAttempt(endpoint: endpoint, values: values)
            }
        }
        // libpq looks for a standby among all servers before it takes any other; of one server it would take what it is.
        guard given["target_session_attrs"] == "prefer-standby", endpoints.count > 1 else { return attempts(answering + silent) }
        return attempts(answering, "standby") + attempts(answering + silent, "any")
    }

    /// `connect_timeout` in seconds, which libpq itself ignores in a connection that does not block; nil for none and for "for ever".
    private static func timeout(_ text: String?) throws(DatabaseError) -> Duration? {
        guard let text else { return nil }
        guard let seconds = Int(text) else { throw DatabaseError(.configuration) }
        return seconds > 0 ? .seconds(min(seconds, 3_600)) : nil
    }

    private static func parse(_ conninfo: String) -> [String: String]? {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(conninfo, &message) else {
            if let message { PQfreemem(message) }
            return nil
        }
        defer { PQconninfoFree(options) }
        var given: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { given[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return given
    }

    /// In `options` a space separates arguments and a backslash escapes the next character.
    private static func escaped(_ value: String) -> String {
        var text = ""
        for character in value {
            if character == " " || character == "\\" { text.append("\\") }
            text.append(character)
        }
        return text
    }
}

/// One server to try, with libpq's keywords and values for it.
struct ConnectAttempt: Sendable {
    let endpoint: ServerEndpoint
    let values: [String: String]

    func withPointers<Result>(
        _ body: (_ keywords: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let pairs = Array(values)
        let keywords = pairs.map { strdup($0.key) }
        let values = pairs.map { strdup($0.value) }
        defer {
            keywords.forEach { free($0) }
            values.forEach { free($0) }
        }
        let keywordPointers = keywords.map { UnsafePointer($0) } + [nil]
        let valuePointers = values.map { UnsafePointer($0) } + [nil]
        return keywordPointers.withUnsafeBufferPointer { keywords in
            valuePointers.withUnsafeBufferPointer { values in body(keywords.baseAddress, values.baseAddress) }
        }
    }
}

/// Servers that did not answer a connection in time. For a minute they are tried after the others: a frozen first server must not cost
/// each connection its timeout.
final class SilentServers: Sendable {
    private static let memory = Duration.seconds(60)

    private let since = Mutex<[ServerEndpoint: ContinuousClock.Instant]>([:])

    func note(_ endpoint: ServerEndpoint) { since.withLock { $0[endpoint] = .now } }

    func forget(_ endpoint: ServerEndpoint) { since.withLock { $0[endpoint] = nil } }

    /// The endpoints in their order, those that were silent apart.
    func separated(_ endpoints: [ServerEndpoint]) -> (answering: [ServerEndpoint], silent: [ServerEndpoint]) {
        let silent = since.withLock { since in
            since = since.filter { .now - $0.value < Self.memory }
            return Set(since.keys)
        }
        return (endpoints.filter { !silent.contains($0) }, endpoints.filter { silent.contains($0) })
    }
}
