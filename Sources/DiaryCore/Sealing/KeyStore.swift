package import DiaryCrypto

/// Data keys, wrapped by the master key ring, in a database of their own (decision D15).
package protocol KeyStore: Sendable {
    /// - Returns: nil when the key was destroyed with its account.
    func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey?
    /// Sign-up: the key is made before the user row.
    func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError)
    /// The work of `insert`, of which nothing stays (B8).
    func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError)
    /// Sign-up that found the address taken; erasure.
    func destroy(keyOf owner: Owner) async throws(DiaryError)
}
