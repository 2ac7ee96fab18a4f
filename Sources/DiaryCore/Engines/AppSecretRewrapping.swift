/// Secrets of apps, for the rotation of the master key.
package protocol AppSecretRewrapping: Sendable {
    /// How many secrets each master seals.
    func secretsByMaster() async throws(DiaryError) -> [String: Int]
    /// A page of those that another master seals, by app and name.
    func secrets(notUnder masterID: String, after: StoredAppSecret?, limit: Int) async throws(DiaryError) -> [StoredAppSecret]
    /// Compare and set.
    /// - Returns: false when it was set anew or taken away meanwhile.
    func rewrap(_ old: StoredAppSecret, to new: StoredAppSecret) async throws(DiaryError) -> Bool
}
