package import DiaryCrypto
package import FoundationEssentials

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
