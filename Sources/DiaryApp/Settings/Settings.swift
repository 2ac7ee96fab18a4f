import DiaryCore
import DiaryCrypto
import DiaryHTTP
import DiaryObjectStore
import HTTPListener
import Logging
import RedisClient

/// Everything that can be set, read once at start. README and .env.example list the names.
struct Settings: Sendable {
    let listen: ListenAddress
    let listener: ListenerLimits
    let publicURL: PublicURL
    let trustedProxies: TrustedProxies
    /// In which a trusted proxy names the client's country.
    let placeHeader: PlaceHeader?
    let database: DatabaseSettings
    let redis: RedisEndpoint
    let objects: String
    let temporary: String
    let mail: MailSettings
    let keys: KeySettings
    let serviceSecret: SecretBytes
    let issuer: String
    let providers: ProviderSettings
    let media: MediaSettings
    let limits: Limits
    /// Multiplies every rate limit; tests and load generators raise it.
    let rateFactor: Int
    let speechSlots: Int
    let logLevel: Logger.Level

    init(_ environment: Environment) throws {
        listen = try Self.listen(environment)
        listener = try Self.listener(environment)
        guard let url = PublicURL(try environment.required("DIARY_PUBLIC_URL")) else {
            throw SettingsError("DIARY_PUBLIC_URL", "must be http(s)://host[:port] without a path")
        }
        publicURL = url
        let proxies = try environment.text("DIARY_TRUSTED_PROXIES")
        let list = (proxies ?? "").split(separator: ",").map { $0.trimmed }
        guard let trusted = TrustedProxies(list) else {
            throw SettingsError("DIARY_TRUSTED_PROXIES", "must be a comma-separated list of addresses or CIDR blocks")
        }
        trustedProxies = trusted
        let place = try environment.text("DIARY_PLACE_HEADER")
        placeHeader = place.flatMap { PlaceHeader($0) }
        guard place == nil || placeHeader != nil else {
            throw SettingsError("DIARY_PLACE_HEADER", "must be the name of a header field")
        }
        database = try DatabaseSettings(environment)
        do { redis = try RedisEndpoint(url: try environment.required("DIARY_REDIS_URL")) } catch let error as RedisURLError {
            throw SettingsError("DIARY_REDIS_URL", "\(error)")
        }
        objects = try environment.required("DIARY_OBJECTS")
        temporary = try environment.required("DIARY_TEMPORARY")
        mail = try MailSettings(environment)
        keys = try KeySettings(environment)
        serviceSecret = try environment.secret("DIARY_SERVICE_SECRET")
        issuer = try environment.text("DIARY_ISSUER") ?? publicURL.description
        providers = try ProviderSettings(environment)
        media = try MediaSettings(environment)
        limits = try Self.limits(environment, keys)
        rateFactor = try environment.integer("DIARY_RATE_FACTOR", 1...1_000_000, default: 1)
        speechSlots = try environment.integer("DIARY_SPEECH_SLOTS", 1...64, default: 2)
        guard let level = Logger.Level(rawValue: try environment.text("DIARY_LOG_LEVEL") ?? "info") else {
            throw SettingsError("DIARY_LOG_LEVEL", "must be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        logLevel = level
    }

    static func listen(_ environment: Environment) throws(SettingsError) -> ListenAddress {
        if let descriptor = try InheritedSocket.descriptor(environment) { return .inherited(descriptor: descriptor) }
        guard let address = ListenAddress(try environment.text("DIARY_LISTEN") ?? "127.0.0.1:8080") else {
            throw SettingsError(
                "DIARY_LISTEN", "must be host:port, [IPv6]:port, or the absolute path of a Unix socket (at most 107 bytes)")
        }
        return address
    }

    private static func listener(_ environment: Environment) throws(SettingsError) -> ListenerLimits {
        var limits = ListenerLimits()
        limits.connections = try environment.integer("DIARY_CONNECTIONS", 16...100_000, default: limits.connections)
        limits.connectionsPerAddress = try environment.integer(
            "DIARY_CONNECTIONS_PER_ADDRESS", 1...100_000, default: limits.connections)
        return limits
    }

    private static func limits(_ environment: Environment, _ keys: KeySettings) throws(SettingsError) -> Limits {
        var limits = Limits()
        limits.accessTokenSeconds = keys.accessTokenSeconds
        limits.uploadURLSeconds = try environment.integer("DIARY_UPLOAD_URL_SECONDS", 1...86_400, default: limits.uploadURLSeconds)
        limits.exportLinkSeconds = try environment.integer("DIARY_EXPORT_LINK_SECONDS", 1...2_592_000, default: limits.exportLinkSeconds)
        limits.exportDownloads = try environment.integer("DIARY_EXPORT_DOWNLOADS", 1...1_000, default: limits.exportDownloads)
        limits.maxAudioBytes = Int64(
            try environment.integer("DIARY_MAX_AUDIO_BYTES", 1...53_687_091_200, default: Int(limits.maxAudioBytes)))
        limits.leaseSeconds = try environment.seconds("DIARY_LEASE_SECONDS", 0.5...3_600, default: limits.leaseSeconds)
        limits.heartbeatSeconds = try environment.seconds("DIARY_HEARTBEAT_SECONDS", 0.1...1_200, default: limits.heartbeatSeconds)
        limits.sweepSeconds = try environment.seconds("DIARY_SWEEP_SECONDS", 0.1...3_600, default: limits.sweepSeconds)
        limits.pollSeconds = try environment.seconds("DIARY_POLL_SECONDS", 0.1...60, default: limits.pollSeconds)
        limits.retryBaseSeconds = try environment.seconds("DIARY_RETRY_BASE_SECONDS", 0.1...60, default: limits.retryBaseSeconds)
        limits.gracefulStopSeconds = try environment.seconds("DIARY_GRACEFUL_STOP_SECONDS", 1...600, default: limits.gracefulStopSeconds)
        guard limits.heartbeatSeconds * 2 <= limits.leaseSeconds else {
            throw SettingsError("DIARY_HEARTBEAT_SECONDS", "must be at most half of DIARY_LEASE_SECONDS")
        }
        return limits
    }
}

extension StringProtocol {
    var trimmed: String {
        var text = Substring(self)
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
