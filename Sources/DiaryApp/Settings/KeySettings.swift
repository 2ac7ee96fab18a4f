import DiaryCrypto
import FoundationEssentials

/// Keys from the environment: what the service and `diary keys` both need.
struct KeySettings: Sendable {
    let masters: MasterKeyRing
    /// Signs access tokens until a key of the key database does.
    let signingKey: P256PrivateKey?
    let accessTokenSeconds: Int
    /// From the publication of a new signing key until it signs.
    let publishSeconds: Int

    init(_ environment: Environment) throws(SettingsError) {
        masters = try environment.read(Self.masters)
        signingKey = try environment.read(Self.signingKey)
        accessTokenSeconds = try environment.read(Self.accessTokenSeconds)
        publishSeconds = try environment.read(Self.publishSeconds)
    }
}

extension KeySettings {
    static let masters = Setting.required(
        "DIARY_MASTER_KEYS", SettingForm("`id:base64[,id:base64 …]`", parse: ring), secrecy: .secret,
        "wrap people's keys; the first is current; at least 32 bytes each", example: .file("/etc/diary/keys/master-keys"))
    static let serviceSecret = Setting.required(
        "DIARY_SERVICE_SECRET", .secretBytes, secrecy: .secret, "look-up hashes, refresh tokens, links; must never change",
        example: .file("/etc/diary/keys/service-secret"))
    static let signingKey = Setting.optional(
        "DIARY_SIGNING_KEY",
        SettingForm("PEM, PKCS#8, P-256", fault: "must be a P-256 private key (PKCS#8, PEM)") { try? P256PrivateKey(pem: $0) },
        without: "required until `diary keys rotate`", secrecy: .secret, "signs access tokens, before any key of the key database",
        example: .file("/etc/diary/keys/signing-key.pem"))
    static let publishSeconds = Setting.whole(
        "DIARY_KEY_PUBLISH_SECONDS", 10...604_800, default: 900, "from the publication of a new token key until it signs")
    static let accessTokenSeconds = Setting.whole("DIARY_ACCESS_TOKEN_SECONDS", 1...86_400, default: 900, "life of an access token")

    static let group = SettingsGroup(
        title: "Keys",
        notes: [
            "The units of deploy/ hand over the files of /etc/diary/keys by their names, those for mail and Apple too: no line is needed for them here.",
            "Master keys:     echo \"m1:$(openssl rand -base64 32)\"",
            "Service secret:  openssl rand -base64 32",
            "Signing key:     openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256",
        ],
        settings: [masters, serviceSecret, signingKey, publishSeconds, Settings.issuer, accessTokenSeconds],
        debugBuilds: debugBuilds)

    #if DIARY_FAILPOINTS
        private static let debugBuilds: [any DeclaredSetting] = [PasswordCost.setting]
    #else
        private static let debugBuilds: [any DeclaredSetting] = []
    #endif

    /// The current key first.
    @Sendable private static func ring(_ text: String) throws(SettingForm<MasterKeyRing>.Fault) -> MasterKeyRing {
        var keys: [String: SecretBytes] = [:]
        var current: String?
        for item in text.split(separator: ",") {
            let parts = item.trimmed.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let key = try? SettingForm.secretBytes.parse(parts[1]), keys[parts[0]] == nil else {
                throw .init("must be id:base64[,id:base64 …] with keys of at least 32 bytes")
            }
            keys[parts[0]] = key
            current = current ?? parts[0]
        }
        guard let current else { throw .init("is required") }
        do { return try MasterKeyRing(current: current, keys: keys) } catch { throw .init("is not acceptable") }
    }
}
