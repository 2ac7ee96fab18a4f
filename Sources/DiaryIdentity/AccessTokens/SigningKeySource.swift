package import DiaryCore
package import DiaryCrypto
import FoundationEssentials
import Synchronization

/// Builds the schedule of token keys from the key database. The key of the setting signs until the first of those does.
package final class SigningKeySource: Sendable {
    private let store: any SigningKeyStore
    private let retirements: (any RetiredTokenKeys)?
    private let masters: MasterKeyRing
    private let configured: P256PrivateKey?
    private let accessTokenSeconds: Int
    /// Opened keys by id, so that a key is opened and checked once.
    private let opened = Mutex<[String: P256PrivateKey]>([:])
    private let compared = Mutex(Compared())

    /// The living keys that were last compared with the record of retirements. A key that is retired leaves them, so that they are compared
    /// again when a restore brings it back.
    private struct Compared {
        var living: Set<String> = []
        var retired: Set<String> = []
    }

    /// - Parameters:
    ///   - retirements: the record outside the key database; nil for administration, which sees every key.
    ///   - configured: signs until a key of the database does.
    package init(
        store: any SigningKeyStore, retirements: (any RetiredTokenKeys)? = nil, masters: MasterKeyRing, configured: P256PrivateKey?,
        accessTokenSeconds: Int
    ) {
        self.store = store
        self.retirements = retirements
        self.masters = masters
        self.configured = configured
        self.accessTokenSeconds = accessTokenSeconds
    }

    /// - Throws: `unavailable`; `internalError` when a key does not open under the master that it names.
    package func schedule() async throws(DiaryError) -> SigningKeySchedule {
        let stored = try await store.signingKeys()
        let known = opened.withLock { $0 }
        var fresh: [String: P256PrivateKey] = [:]
        var keys: [SigningKeySchedule.Key] = []
        let configuredID = configured.map { SigningKeyRing.keyID(of: $0.publicKey) }
        let retired = try await retired(
            among: Set(stored.filter { $0.sealed != nil }.map(\.kid)).union(configuredID.map { [$0] } ?? []))
        for key in stored {
            guard let sealed = key.sealed, !retired.contains(key.kid) else { continue }
            let pair = if let pair = known[key.kid] { pair } else { try Self.open(sealed, key.kid, masters) }
            fresh[key.kid] = pair
            keys.append(.init(pair, signsFrom: key.signsFrom))
        }
        opened.withLock { $0 = fresh }
        if let configured, let configuredID, !stored.contains(where: { $0.kid == configuredID }), !retired.contains(configuredID) {
            keys.append(.init(configured, signsFrom: .distantPast))
        }
        let restored = stored.filter { $0.sealed != nil && retired.contains($0.kid) }.map(\.kid)
        return SigningKeySchedule(keys, accessTokenSeconds: accessTokenSeconds, restoredIDs: restored)
    }

    private func retired(among living: Set<String>) async throws(DiaryError) -> Set<String> {
        guard let retirements, !living.isEmpty else { return [] }
        let last = compared.withLock { $0 }
        if last.living == living { return last.retired }
        let retired = try await retirements.retired(among: living.sorted())
        compared.withLock { $0 = Compared(living: living, retired: retired) }
        return retired
    }

    package static func seal(_ pair: P256PrivateKey, _ masters: MasterKeyRing) throws(DiaryError) -> StoredSigningKey.Sealed {
        do {
            let kid = SigningKeyRing.keyID(of: pair.publicKey)
            let sealed = try masters.seal(Array(pair.pem.utf8), context: StoredSigningKey.context(kid))
            return .init(masterID: sealed.masterID, bytes: sealed.bytes)
        } catch {
            throw DiaryError(.internalError, cause: "sealing a signing key failed")
        }
    }

    package static func open(
        _ sealed: StoredSigningKey.Sealed, _ kid: String, _ masters: MasterKeyRing
    ) throws(DiaryError) -> P256PrivateKey {
        do {
            let pem = try masters.open(sealed.bytes, under: sealed.masterID, context: StoredSigningKey.context(kid))
            let pair = try P256PrivateKey(pem: String(decoding: pem, as: UTF8.self))
            guard SigningKeyRing.keyID(of: pair.publicKey) == kid else { throw CryptoError.wrongKey }
            return pair
        } catch {
            throw DiaryError(.internalError, cause: "signing key \(kid) does not open under master \(sealed.masterID)")
        }
    }
}
