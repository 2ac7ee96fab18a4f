package import DiaryCrypto
package import FoundationEssentials

/// A secret of an app, such as the key of a speech server, as the main database holds it.
package struct StoredAppSecret: Sendable, Equatable {
    package var tenant: TenantID
    /// Unique in the app; formed as an engine's name.
    package var name: String
    /// The master of the ring that sealed it.
    package var masterID: String
    package var sealed: [UInt8]
    package var setAt: Date

    package init(tenant: TenantID, name: String, masterID: String, sealed: [UInt8], setAt: Date) {
        self.tenant = tenant
        self.name = name
        self.masterID = masterID
        self.sealed = sealed
        self.setAt = setAt
    }

    /// The context that the sealed bytes are bound to: they open neither for another app nor under another name.
    package static func context(_ tenant: TenantID, _ name: String) -> [String] { ["app_secrets", "sealed", tenant.description, name] }
}

extension StoredAppSecret {
    /// Sealed under the ring's current master.
    package init(
        sealing plain: SecretBytes, _ name: String, of tenant: TenantID, under masters: MasterKeyRing, at now: Date
    ) throws(DiaryError) {
        do {
            let made = try masters.seal(plain.bytes(), context: Self.context(tenant, name))
            self.init(tenant: tenant, name: name, masterID: made.masterID, sealed: made.bytes, setAt: now)
        } catch {
            throw DiaryError(.internalError, cause: "sealing a secret of an app failed")
        }
    }

    /// - Throws: when the ring has not its master, or when it was altered or belongs to another app or name.
    package func open(under masters: MasterKeyRing) throws(CryptoError) -> SecretBytes {
        SecretBytes(try masters.open(sealed, under: masterID, context: Self.context(tenant, name)))
    }

    /// The same secret under the current master; nil when it does not open.
    package func rewrapped(under masters: MasterKeyRing) -> StoredAppSecret? {
        guard let plain = try? open(under: masters) else { return nil }
        return try? StoredAppSecret(sealing: plain, name, of: tenant, under: masters, at: setAt)
    }
}

/// A secret as it is listed: never its value.
package struct AppSecretEntry: Sendable, Equatable {
    package var name: String
    package var masterID: String
    package var setAt: Date

    package init(name: String, masterID: String, setAt: Date) {
        self.name = name
        self.masterID = masterID
        self.setAt = setAt
    }
}

/// Secrets of apps as workers read them.
package protocol AppSecretStore: Sendable {
    /// nil when the app has none of this name.
    func secret(_ name: String, of tenant: TenantID) async throws(DiaryError) -> StoredAppSecret?
}
