/// Apple grants, by the database role `diary_worker`.
package protocol AppleGrantStore: Sendable {
    /// Claims grants with a code to exchange or a token to revoke, each exclusively for a minute.
    func claim(limit: Int) async throws(WorkError) -> [AppleGrant]
    /// Stores the token that the code was exchanged for. Does nothing when a newer code has arrived meanwhile.
    func keep(_ tokenSealed: [UInt8], for grant: AppleGrant) async throws(WorkError)
    /// Deletes a code that cannot be exchanged, and the grant with it unless it has a token.
    func dropCode(of grant: AppleGrant) async throws(WorkError)
    func postpone(_ grant: AppleGrant, seconds: Double) async throws(WorkError)
    /// Deletes a grant that was revoked, or whose revocation failed permanently.
    func delete(_ grant: AppleGrant) async throws(WorkError)
}
