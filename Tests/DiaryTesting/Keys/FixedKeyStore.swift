package import DiaryCrypto

@testable package import DiaryCore

/// Has one key for every owner.
package struct FixedKeyStore: KeyStore {
    private let key = DataKey.generate()
    private let ring: MasterKeyRing

    package init(ring: MasterKeyRing) { self.ring = ring }

    package func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? {
        do { return try ring.wrap(key, tenant: owner.tenant.uuid, user: owner.user.uuid) } catch { throw DiaryError(.internalError) }
    }
    package func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
    package func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
    package func destroy(keyOf owner: Owner) async throws(DiaryError) {}
}
