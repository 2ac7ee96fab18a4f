import DiaryCore
import DiaryCrypto
import DiaryIdentity
import DiaryObjectStore

/// The servers of Apple and Google, and the key for requests to Apple. `diary tenant sign-in` sets which apps may sign in by them.
struct IdentityProviderSettings: Sendable {
    let apple: IDTokenIssuer
    let google: IDTokenIssuer
    /// nil: authorization codes are not exchanged, so nothing can be revoked at Apple.
    let appleKey: AppleKey?

    init(_ environment: Environment) throws(SettingsError) {
        apple = try environment.read(Self.appleIssuer) ?? .apple
        google = try environment.read(Self.googleIssuer) ?? .google
        appleKey = try Self.appleKey(environment)
    }

    /// All three or none.
    private static func appleKey(_ environment: Environment) throws(SettingsError) -> AppleKey? {
        let team = try environment.read(appleTeam)
        let key = try environment.read(appleKeyID)
        let pem = try environment.read(applePEM)
        guard team != nil || key != nil || pem != nil else { return nil }
        guard let team, let key, let pem else { throw SettingsError(applePEM, "needs \(appleTeam.name) and \(appleKeyID.name) beside it") }
        for (setting, value) in [(appleTeam, team), (appleKeyID, key)] where !isIdentifier(value) {
            throw SettingsError(setting, "must be 10 letters and digits")
        }
        do {
            return AppleKey(teamID: team, keyID: key, key: try P256PrivateKey(pem: pem))
        } catch {
            throw SettingsError(applePEM, "must be a P-256 private key (PKCS#8, PEM), as Apple gives it (.p8)")
        }
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A)
            }
    }
}

extension IdentityProviderSettings {
    static let appleTeam = Setting.optional(
        "DIARY_APPLE_TEAM_ID", .text("10 letters and digits"), "the team of the key for Sign in with Apple", example: .comment(""))
    static let appleKeyID = Setting.optional(
        "DIARY_APPLE_KEY_ID", .text("10 letters and digits"), "the id of the key for Sign in with Apple", example: .comment(""))
    static let applePEM = Setting.optional(
        "DIARY_APPLE_KEY", .text("PEM, PKCS#8, P-256"), secrecy: .secret,
        "the key for Sign in with Apple (.p8); without it codes are not exchanged and nothing is revoked at Apple",
        example: .file("/etc/diary/keys/apple.p8"))
    static let appleIssuer = Setting.optional(
        "DIARY_APPLE_ISSUER", origin(.apple), without: "Apple's",
        "stands in for Apple in tests: `iss`, and `/keys`, `/token`, `/revoke` below it")
    static let googleIssuer = Setting.optional(
        "DIARY_GOOGLE_ISSUER", origin(.google), without: "Google's", "stands in for Google in tests: `iss`, and `/keys` below it")

    static let group = SettingsGroup(
        title: "Sign-in by Apple and Google",
        notes: ["`diary tenant sign-in` sets the client ids that an app's tokens may name."],
        settings: [appleTeam, appleKeyID, applePEM, appleIssuer, googleIssuer])

    /// Without TLS on this machine only: the server that answers there decides which user a token is for.
    private static func origin(_ provider: IdentityProvider) -> SettingForm<IDTokenIssuer> {
        SettingForm("origin") { text throws(SettingForm<IDTokenIssuer>.Fault) in
            guard let url = PublicURL(text), url.prefix.isEmpty else { throw .init("must be http(s)://host[:port] without a path") }
            let isHere = ["127.0.0.1", "[::1]", "localhost"].contains { url.host == $0 || url.host.hasPrefix($0 + ":") }
            guard url.scheme == "https" || isHere else { throw .init("must be https unless the host is this machine") }
            return .local(provider, base: url.description)
        }
    }
}
