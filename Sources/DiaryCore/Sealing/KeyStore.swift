package import DiaryCrypto

/// Data keys, wrapped by the master key ring, in a separate database (decision D15).
package protocol KeyStore: Sendable {
    /// - Returns: nil when the key was destroyed with its account.
    func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey?
    /// At sign-up; the key is made before the user row.
    func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError)
    /// Does the work of `insert` and stores nothing (B8).
    func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError)
    /// At a sign-up that found the address taken, and at erasure.
    func destroy(keyOf owner: Owner) async throws(DiaryError)
}
