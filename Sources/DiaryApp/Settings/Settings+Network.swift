import DiaryHTTP
import DiaryObjectStore
import Glibc
import HTTPListener

extension Settings {
    static func listen(_ environment: Environment) throws(SettingsError) -> ListenAddress {
        if let descriptor = try InheritedSocket.descriptor(environment) { return .inherited(descriptor: descriptor) }
        return try environment.read(listenAddress)
    }

    static func listener(_ environment: Environment) throws(SettingsError) -> ListenerLimits {
        var limits = ListenerLimits()
        limits.connections = try environment.read(connections)
        limits.connectionsPerAddress = try environment.read(connectionsPerAddress) ?? limits.connections
        return limits
    }

    /// Whether all clients share their rate limits: behind a Unix socket no client has an address unless the proxy may name it.
    /// - Parameter port: the one that was bound; nil on a Unix socket, also an inherited one.
    func countsClientsAsOne(boundTo port: Int?) -> Bool { port == nil && !trustedProxies.trustsUnixPeers }
}

extension Settings {
    static let listenAddress = Setting.defaulted(
        "DIARY_LISTEN",
        SettingForm(
            "host:port or path", fault: "must be host:port, [IPv6]:port, or the absolute path of a Unix socket (at most 107 bytes)"
        ) { ListenAddress($0) },
        default: "127.0.0.1:8080", "where the API listens; a path is a Unix socket", example: .set("127.0.0.1:8080"))
    static let publicURL = Setting.required(
        "DIARY_PUBLIC_URL", SettingForm("URL", fault: "must be http(s)://host[:port] without a path") { PublicURL($0) },
        "how clients reach it; begins signed addresses and mailed links", example: .set("https://diary.example.org"))
    static let trustedProxies = Setting.defaulted(
        "DIARY_TRUSTED_PROXIES",
        SettingForm(
            "list of addresses, CIDR blocks or `unix`", fault: "must be a comma-separated list of addresses, CIDR blocks or unix"
        ) { TrustedProxies($0.split(separator: ",").map { $0.trimmed }) },
        default: "", words: "none",
        "proxies whose `X-Forwarded-…` fields count; on a Unix socket that is `unix`, without which all clients count as one",
        example: .set("127.0.0.1"))
    static let placeHeader = Setting.optional(
        "DIARY_PLACE_HEADER", SettingForm("name of a header", fault: "must be the name of a header field") { PlaceHeader($0) },
        "the header in which a trusted proxy names the client's country; shown in the list of sessions, else the address's network",
        example: .comment("CF-IPCountry"))
    static let connections = Setting.whole(
        "DIARY_CONNECTIONS", 16...100_000, default: ListenerLimits().connections,
        "connections of the API open at once; over it the connection longest without progress is closed")
    static let connectionsPerAddress = Setting.optional(
        "DIARY_CONNECTIONS_PER_ADDRESS", .whole(1...100_000), without: "as many as all",
        "connections of one client address (IPv6: one /64) open at once; those of trusted proxies are not counted",
        example: .comment(String(ListenerLimits().connections)))

    static let network = SettingsGroup(
        title: "Network", settings: [listenAddress, publicURL, trustedProxies, placeHeader, connections, connectionsPerAddress])
}

/// A listening socket that the service manager hands over (sd_listen_fds(3)). It outlives the process, so that a restart refuses no
/// connection.
enum InheritedSocket {
    /// The first descriptor of the protocol.
    private static let first: Int32 = 3

    /// - Returns: nil when there is none for this process.
    static func descriptor(_ environment: Environment) throws(SettingsError) -> Int32? {
        guard let process = try environment.text(.listenProcess), process == String(getpid()) else { return nil }
        guard try environment.text(.listenSockets) == "1" else {
            throw SettingsError("LISTEN_FDS", "must be 1: the service listens on one socket")
        }
        return first
    }
}
