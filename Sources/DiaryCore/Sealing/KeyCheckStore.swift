package import DiaryCrypto

/// Check values in the key database.
package protocol KeyCheckStore: Sendable {
    /// - Returns: the values that are recorded, by name.
    func recorded(_ names: [String]) async throws(DiaryError) -> [String: [UInt8]]
    /// Records what is missing. Of two processes at once the first one's value stays.
    func record(_ checks: [KeyCheck]) async throws(DiaryError)
    /// A data key that this master wraps; nil when it wraps none.
    func wrappedKey(under masterID: String) async throws(DiaryError) -> (owner: Owner, key: WrappedKey)?
}
