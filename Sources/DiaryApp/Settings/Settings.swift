import DiaryCore
import DiaryCrypto
import DiaryHTTP
import DiaryObjectStore
import DiaryRedis
import HTTPListener
import Logging

/// The settings that both API and workers need, read once at the start. `WorkerSettings` has those of workers alone, `SettingsCatalogue`
/// lists all declarations.
struct Settings: Sendable {
    let listen: ListenAddress
    let listener: ListenerLimits
    let publicURL: PublicURL
    let trustedProxies: TrustedProxies
    /// The header in which a trusted proxy names the client's country.
    let placeHeader: PlaceHeader?
    let database: DatabaseSettings
    let redis: RedisEndpoint
    let objects: ObjectSettings
    let keys: KeySettings
    let serviceSecret: SecretBytes
    let issuer: String
    let identityProviders: IdentityProviderSettings
    let mailFeedback: MailFeedbackSettings
    /// The engines of apps without engines of their own, for `GET /v1/config`.
    let engines: EngineOffer
    /// Languages of the local speech engine.
    let localLanguages: SpeechLanguages
    let limits: Limits
    /// Multiplies every rate limit; tests and load generators raise it.
    let rateFactor: Int
    let logLevel: Logger.Level
    #if DIARY_FAILPOINTS
        let passwordCost: PasswordCost
    #endif

    /// - Throws: one error that names every missing or unacceptable setting of the role.
    init(_ environment: Environment, for role: SettingsCheck.Role = .api) throws(SettingsError) {
        try SettingsCheck(environment, of: role).pass()
        listen = try Self.listen(environment)
        listener = try Self.listener(environment)
        publicURL = try environment.read(Self.publicURL)
        trustedProxies = try environment.read(Self.trustedProxies)
        placeHeader = try environment.read(Self.placeHeader)
        database = try DatabaseSettings(environment)
        redis = try environment.read(Self.redis)
        objects = try ObjectSettings(environment)
        keys = try KeySettings(environment)
        serviceSecret = try environment.read(KeySettings.serviceSecret)
        issuer = try environment.read(Self.issuer) ?? publicURL.description
        identityProviders = try IdentityProviderSettings(environment)
        mailFeedback = try MailFeedbackSettings(environment)
        let speech = try environment.read(MediaSettings.speech)
        let cleanup = try environment.read(MediaSettings.cleanup)
        engines = EngineOffer(
            speech: [.init(name: speech.rawValue, kind: speech.kind, isLocal: try environment.read(HostedSettings.speechLocal) == 1)],
            text: [.init(name: cleanup.rawValue, kind: cleanup.kind, isLocal: try environment.read(HostedSettings.cleanupLocal) == 1)])
        localLanguages = speech.localLanguages
        limits = try LimitSettings.limits(environment, accessTokenSeconds: keys.accessTokenSeconds)
        rateFactor = try environment.read(LimitSettings.rateFactor)
        logLevel = try environment.read(Self.logLevel)
        #if DIARY_FAILPOINTS
            passwordCost = try environment.read(PasswordCost.setting)
        #endif
    }
}

extension Settings {
    static let redis = Setting.required(
        "DIARY_REDIS_URL",
        SettingForm("`redis://[user:password@]host[:port][/db]` or `redis+unix:///path`") { url throws(SettingForm<RedisEndpoint>.Fault) in
            do throws(RedisURLError) { return try RedisEndpoint(url: url) } catch { throw .init("\(error)") }
        }, secrecy: .withPassword, "job signals, rate limits, change notices", example: .set("redis+unix:///run/redis/redis-server.sock"))
    static let issuer = Setting.optional("DIARY_ISSUER", .text("text"), without: "the public URL", "`iss` of access tokens")
    static let logLevel = Setting.choice("DIARY_LOG_LEVEL", default: Logger.Level.info, "the least level that is logged")

    static let objects = Setting.required(
        "DIARY_OBJECTS", .text("folder or `s3://bucket[/prefix]`"),
        "recordings and zips, sealed; in a bucket uploads lie plain below `staging/` until they are verified. The same for API and workers",
        example: .set("/var/lib/diary/objects"))

    static let folders = SettingsGroup(
        title: "Folders",
        notes: ["The worker's unit in deploy/ puts DIARY_TEMPORARY into its private /tmp, also when a line here says otherwise."],
        settings: [objects, WorkerSettings.temporary, InstalledFiles.setting])
    static let log = SettingsGroup(title: "Log", settings: [logLevel])
}
