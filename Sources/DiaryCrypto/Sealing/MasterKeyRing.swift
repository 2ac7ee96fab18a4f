package import FoundationEssentials

/// The operator's master keys: the current one wraps, all of them unwrap.
package struct MasterKeyRing: Sendable {
    package let currentID: String
    private let masters: [String: Master]
    private let current: Master

    private struct Master: Sendable {
        let wrapping: SecretBytes
        let sealing: SecretBytes
        let check: SecretBytes
    }

    /// The ids of all masters, sorted.
    package var ids: [String] { masters.keys.sorted() }

    /// - Parameter keys: by id; each of at least 32 bytes.
    /// - Throws: `unknownMaster` when `current` is not among them, `invalidKey` for a short key or an empty id.
    package init(current: String, keys: [String: SecretBytes]) throws(CryptoError) {
        var masters: [String: Master] = [:]
        for (id, secret) in keys {
            guard !id.isEmpty, secret.count >= 32 else { throw .invalidKey }
            masters[id] = Master(
                wrapping: HKDFSHA256.derive(secret, info: "diary/v1/wrap"), sealing: HKDFSHA256.derive(secret, info: "diary/v1/seal"),
                check: HKDFSHA256.derive(secret, info: "diary/v1/check"))
        }
        guard let master = masters[current] else { throw .unknownMaster }
        self.masters = masters
        self.current = master
        currentID = current
    }

    /// Seals the key under the current master, bound to tenant, user, key id and master id.
    package func wrap(_ key: DataKey, tenant: UUID, user: UUID) throws(CryptoError) -> WrappedKey {
        try wrap(key, tenant: tenant, user: user, nonce: SecureRandom.bytes(AES256GCM.nonceSize))
    }

    func wrap(_ key: DataKey, tenant: UUID, user: UUID, nonce: [UInt8]) throws(CryptoError) -> WrappedKey {
        guard key.secret.count == DataKey.size else { throw .invalidKey }
        let prefix = SealedPrefix(keyID: key.id, nonce: nonce)
        let additional = Self.additional(tenant: tenant, user: user, keyID: key.id, masterID: currentID)
        let bytes = try AES256GCM.seal(
            key.secret.bytes(), key: current.wrapping, nonce: nonce, additional: additional, after: prefix.bytes)
        return WrappedKey(keyID: key.id, masterID: currentID, bytes: bytes)
    }

    /// - Throws: `unknownMaster` when the ring no longer has the master, `refused` for another tenant, user or id.
    package func unwrap(_ wrapped: WrappedKey, tenant: UUID, user: UUID) throws(CryptoError) -> DataKey {
        guard let master = masters[wrapped.masterID] else { throw .unknownMaster }
        let prefix = try SealedPrefix(parsing: wrapped.bytes)
        guard prefix.keyID == wrapped.keyID else { throw .wrongKey }
        let secret = try AES256GCM.open(
            wrapped.bytes.dropFirst(SealedPrefix.count), key: master.wrapping, nonce: prefix.nonce[...],
            additional: Self.additional(tenant: tenant, user: user, keyID: wrapped.keyID, masterID: wrapped.masterID))
        guard secret.count == DataKey.size else { throw .malformed }
        return DataKey(id: wrapped.keyID, secret: SecretBytes(secret))
    }

    /// Seals a secret of the service under the current master; the master's id is part of the context.
    package func seal(_ plain: [UInt8], context: [String]) throws(CryptoError) -> (masterID: String, bytes: [UInt8]) {
        (currentID, try SealedSecret.seal(plain, key: current.sealing, context: context + [currentID]))
    }

    /// - Throws: `unknownMaster` when the ring no longer has the master.
    package func open(_ sealed: [UInt8], under masterID: String, context: [String]) throws(CryptoError) -> [UInt8] {
        guard let master = masters[masterID] else { throw .unknownMaster }
        return try SealedSecret.open(sealed, key: master.sealing, context: context + [masterID])
    }

    /// Tells masters apart without giving anything of them away: HMAC of the id under a key derived for this alone.
    /// - Returns: 32 bytes; nil for an id that the ring does not have.
    package func checkValue(of id: String) -> [UInt8]? {
        masters[id].map { HMACSHA256.code(Array(id.utf8), key: $0.check) }
    }

    private static func additional(tenant: UUID, user: UUID, keyID: UUID, masterID: String) -> [UInt8] {
        var bytes = [SealedPrefix.version] + tenant.bytes + user.bytes + keyID.bytes
        bytes.append(counted: masterID)
        return bytes
    }
}
