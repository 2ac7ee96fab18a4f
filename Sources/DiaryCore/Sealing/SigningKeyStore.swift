/// Token keys as the API reads them.
package protocol SigningKeyStore: Sendable {
    /// Ordered by the time from which they sign, retired ones included.
    func signingKeys() async throws(DiaryError) -> [StoredSigningKey]
}
