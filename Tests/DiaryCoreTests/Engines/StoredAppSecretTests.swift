import DiaryCrypto
import Foundation
import Synchronization
import Testing

@testable import DiaryCore

@Suite("Secrets of apps")
struct StoredAppSecretTests {
    private let tenant = TenantID(UUID())
    private let old = SecretBytes.random(32)
    private let plain = SecretBytes(Array("sk-secret".utf8))

    private func ring(_ current: String) throws -> MasterKeyRing {
        try MasterKeyRing(current: current, keys: ["m1": old, "m2": SecretBytes([UInt8](repeating: 7, count: 32))])
    }

    @Test("a sealed secret opens for its app and name alone")
    func bound() throws {
        let masters = try ring("m1")
        let sealed = try StoredAppSecret(sealing: plain, "openai-key", of: tenant, under: masters, at: .now)

        #expect(try sealed.open(under: masters).bytes() == plain.bytes())
        for change in [
            { (secret: inout StoredAppSecret) in secret.tenant = TenantID(UUID()) }, { $0.name = "other" }, { $0.masterID = "m2" },
            { $0.sealed[20] ^= 1 },
        ] {
            var other = sealed
            change(&other)
            #expect(throws: CryptoError.self) { try other.open(under: masters) }
        }
        #expect(!String(decoding: sealed.sealed, as: Unicode.ASCII.self).contains("sk-secret"))
    }

    @Test("rewrapping goes through every page, leaves what it cannot read and what changed meanwhile, and keeps the value")
    func rewrapped() async throws {
        let masters = try ring("m2")
        let store = Store()
        for number in 0..<250 {
            store.add(try StoredAppSecret(sealing: plain, "key-\(1_000 + number)", of: tenant, under: try ring("m1"), at: .now))
        }
        var damaged = try StoredAppSecret(sealing: plain, "damaged", of: tenant, under: try ring("m1"), at: .now)
        damaged.sealed[20] ^= 1
        store.add(damaged)
        store.changing("key-1007")

        let report = try await RewrapAppSecrets(store: store, masters: masters).run()

        #expect(report == RewrapAppSecrets.Report(secrets: 249, changed: 1, unreadable: 1))
        let left = try MasterKeyRing(current: "m2", keys: ["m2": SecretBytes([UInt8](repeating: 7, count: 32))])
        let opened = store.all.filter { (try? $0.open(under: left).bytes()) == plain.bytes() }
        #expect(opened.count == 249)
        #expect(try await RewrapAppSecrets(store: store, masters: masters).run().secrets == 1)
    }

    /// In memory, ordered as the database does.
    private final class Store: AppSecretRewrapping {
        private let state = Mutex<(secrets: [String: StoredAppSecret], changing: Set<String>)>(([:], []))

        var all: [StoredAppSecret] { state.withLock { Array($0.secrets.values) } }

        func add(_ secret: StoredAppSecret) { state.withLock { $0.secrets[secret.name] = secret } }

        /// The next compare and set finds it set anew.
        func changing(_ name: String) { _ = state.withLock { $0.changing.insert(name) } }

        func secretsByMaster() -> [String: Int] { [:] }

        func secrets(notUnder masterID: String, after: StoredAppSecret?, limit: Int) -> [StoredAppSecret] {
            let left = all.filter { $0.masterID != masterID && $0.name > (after?.name ?? "") }
            return Array(left.sorted { $0.name < $1.name }.prefix(limit))
        }

        func rewrap(_ old: StoredAppSecret, to new: StoredAppSecret) -> Bool {
            state.withLock { state in
                guard state.changing.remove(old.name) == nil, state.secrets[old.name] == old else { return false }
                state.secrets[old.name] = new
                return true
            }
        }
    }
}
