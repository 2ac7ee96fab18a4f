package import DiaryCrypto
package import FoundationEssentials

/// What `diary keys` does, by the database role `diary_admin` of the key database.
package protocol KeyAdministration: SigningKeyStore {
    /// - Parameter seconds: from now until it signs.
    /// - Returns: that time by the database's clock; nil when another published key does not sign yet.
    func publish(kid: String, sealed: StoredSigningKey.Sealed, signsAfter seconds: Double) async throws(DiaryError) -> Date?
    /// Also one that the database does not have yet, because it comes from a setting.
    func retire(kid: String) async throws(DiaryError)
    /// Compare and set.
    func rewrap(kid: String, from old: StoredSigningKey.Sealed, to new: StoredSigningKey.Sealed) async throws(DiaryError) -> Bool

    /// How many data keys each master wraps.
    func dataKeysByMaster() async throws(DiaryError) -> [String: Int]
    /// A page of those that another master wraps, by tenant and user.
    func dataKeys(notUnder masterID: String, after: Owner?, limit: Int) async throws(DiaryError) -> [(owner: Owner, key: WrappedKey)]
    /// Compare and set, all in one transaction.
    /// - Returns: how many were set; the rest were destroyed or wrapped anew meanwhile.
    func rewrap(_ keys: [(owner: Owner, old: WrappedKey, new: WrappedKey)]) async throws(DiaryError) -> Int
    /// For a key whose account is erased, and that a restore brought back.
    /// - Returns: false when there is none.
    func destroy(keyOf owner: Owner) async throws(DiaryError) -> Bool
}
