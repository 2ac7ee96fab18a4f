import DiaryCore
import DiaryCrypto
import DiaryIdentity
import DiaryObjectStore

/// Who plays Apple and Google, and the key that speaks to Apple. Which apps may sign in by them is the tenants' (`diary tenant sign-in`).
struct ProviderSettings: Sendable {
    let apple: IDTokenIssuer
    let google: IDTokenIssuer
    /// nil: authorization codes are not exchanged, so nothing can be revoked at Apple.
    let appleKey: AppleKey?

    init(_ environment: Environment) throws(SettingsError) {
        apple = try Self.issuer(.apple, "DIARY_APPLE_ISSUER", environment) ?? .apple
        google = try Self.issuer(.google, "DIARY_GOOGLE_ISSUER", environment) ?? .google
        appleKey = try Self.appleKey(environment)
    }

    /// An origin. Without TLS only on this machine: whoever answers there says who people are.
    private static func issuer(
        _ provider: IdentityProvider, _ name: String, _ environment: Environment
    ) throws(SettingsError) -> IDTokenIssuer? {
        guard let text = try environment.text(name) else { return nil }
        guard let url = PublicURL(text), url.prefix.isEmpty else {
            throw SettingsError(name, "must be http(s)://host[:port] without a path")
        }
        let isHere = ["127.0.0.1", "[::1]", "localhost"].contains { url.host == $0 || url.host.hasPrefix($0 + ":") }
        guard url.scheme == "https" || isHere else { throw SettingsError(name, "must be https, but on this machine") }
        return .local(provider, base: url.description)
    }

    /// All three or none.
    private static func appleKey(_ environment: Environment) throws(SettingsError) -> AppleKey? {
        let names = ["DIARY_APPLE_TEAM_ID", "DIARY_APPLE_KEY_ID", "DIARY_APPLE_KEY"]
        var values: [String] = []
        for name in names { if let value = try environment.text(name) { values.append(value) } }
        guard !values.isEmpty else { return nil }
        guard values.count == names.count else {
            throw SettingsError("DIARY_APPLE_KEY", "needs DIARY_APPLE_TEAM_ID and DIARY_APPLE_KEY_ID beside it")
        }
        for (name, value) in zip(names, values).prefix(2) where !isIdentifier(value) {
            throw SettingsError(name, "must be 10 letters and digits")
        }
        do {
            return AppleKey(teamID: values[0], keyID: values[1], key: try P256PrivateKey(pem: values[2]))
        } catch {
            throw SettingsError("DIARY_APPLE_KEY", "must be a P-256 private key (PKCS#8, PEM), as Apple gives it (.p8)")
        }
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy {
                ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A)
            }
    }
}
