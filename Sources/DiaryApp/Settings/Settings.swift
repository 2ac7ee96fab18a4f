import DiaryCore
import DiaryCrypto
import DiaryHTTP
import DiaryObjectStore
import HTTPListener
import Logging
import RedisClient

/// Everything that can be set, read once at start. `SettingsCatalogue` lists the declarations.
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

    init(_ environment: Environment) throws(SettingsError) {
        listen = try Self.listen(environment)
        listener = try Self.listener(environment)
        publicURL = try environment.read(Self.publicURL)
        trustedProxies = try environment.read(Self.trustedProxies)
        placeHeader = try environment.read(Self.placeHeader)
        database = try DatabaseSettings(environment)
        redis = try environment.read(Self.redis)
        objects = try environment.read(Self.objects)
        temporary = try environment.read(Self.temporary)
        mail = try MailSettings(environment)
        keys = try KeySettings(environment)
        serviceSecret = try environment.read(KeySettings.serviceSecret)
        issuer = try environment.read(Self.issuer) ?? publicURL.description
        providers = try ProviderSettings(environment)
        media = try MediaSettings(environment)
        limits = try LimitSettings.limits(environment, keys)
        rateFactor = try environment.read(LimitSettings.rateFactor)
        speechSlots = try environment.read(MediaSettings.speechSlots)
        logLevel = try environment.read(Self.logLevel)
    }
}

extension Settings {
    static let redis = Setting.required(
        "DIARY_REDIS_URL",
        SettingForm("`redis://[user:password@]host[:port][/db]` or `redis+unix:///path`") { url throws(SettingForm<RedisEndpoint>.Fault) in
            do throws(RedisURLError) { return try RedisEndpoint(url: url) } catch { throw .init("\(error)") }
        }, secrecy: .withPassword, "job signals, rate limits, change notices", example: .set("redis+unix:///run/redis/redis.sock"))
    static let issuer = Setting.optional("DIARY_ISSUER", .text("text"), without: "the public URL", "`iss` of access tokens")
    static let logLevel = Setting.choice("DIARY_LOG_LEVEL", default: Logger.Level.info, "the least level that is logged")

    static let objects = Setting.required(
        "DIARY_OBJECTS", .text("folder"), "sealed recordings and zips; shared by API and workers", example: .set("/var/lib/diary/objects"))
    static let temporary = Setting.required(
        "DIARY_TEMPORARY", .text("folder"),
        "plain recordings in work; workers may share it: each has a subfolder, and what a killed one left is wiped at the next start",
        example: .comment("/var/lib/diary/tmp"))

    static let folders = SettingsGroup(
        title: "Folders", notes: ["The worker's unit in deploy/ sets DIARY_TEMPORARY to its private /tmp."],
        settings: [objects, temporary, Share.setting])
    static let log = SettingsGroup(title: "Log", settings: [logLevel])
}

extension StringProtocol {
    var trimmed: String {
        var text = Substring(self)
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
