import DiaryCrypto

/// Keys from the environment: what the service and `diary keys` both need.
struct KeySettings: Sendable {
    let masters: MasterKeyRing
    /// Signs access tokens until a key of the key database does.
    let signingKey: P256PrivateKey?
    let accessTokenSeconds: Int
    /// From the publication of a new signing key until it signs.
    let publishSeconds: Int

    init(_ environment: Environment) throws {
        masters = try Self.masterKeys(environment)
        do {
            signingKey = try environment.text("DIARY_SIGNING_KEY").map { pem throws(CryptoError) in try P256PrivateKey(pem: pem) }
        } catch is CryptoError {
            throw SettingsError("DIARY_SIGNING_KEY", "must be a P-256 private key (PKCS#8, PEM)")
        }
        accessTokenSeconds = try environment.integer("DIARY_ACCESS_TOKEN_SECONDS", 1...86_400, default: 900)
        publishSeconds = try environment.integer("DIARY_KEY_PUBLISH_SECONDS", 10...604_800, default: 900)
    }

    /// `id:base64[,id:base64 …]`, the current one first.
    private static func masterKeys(_ environment: Environment) throws -> MasterKeyRing {
        let name = "DIARY_MASTER_KEYS"
        var keys: [String: SecretBytes] = [:]
        var current: String?
        for item in try environment.required(name).split(separator: ",") {
            let parts = item.trimmed.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let key = try? Environment(["KEY": parts[1]]).secret("KEY"), keys[parts[0]] == nil else {
                throw SettingsError(name, "must be id:base64[,id:base64 …] with keys of at least 32 bytes")
            }
            keys[parts[0]] = key
            current = current ?? parts[0]
        }
        guard let current else { throw SettingsError(name, "is required") }
        do { return try MasterKeyRing(current: current, keys: keys) } catch { throw SettingsError(name, "is not acceptable") }
    }
}
