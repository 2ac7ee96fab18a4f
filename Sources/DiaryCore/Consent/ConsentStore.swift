/// The consents of members, by the database role `diary_worker`.
package protocol ConsentStore: Sendable {
    /// Whether the account consents at this moment to engines outside the machine. Never cached.
    func hostedProcessing(of owner: Owner) async throws(WorkError) -> Bool
}
