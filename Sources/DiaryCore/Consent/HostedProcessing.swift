/// Whether an app's recordings and texts may go to engines outside the machine.
package enum HostedProcessing: String, Sendable, CaseIterable {
    case allowed
    /// Only recordings and texts of members who have consented.
    case consent
    case off
}

extension TenantConfiguration {
    package var hostedProcessing: HostedProcessing { text(.hostedProcessing).flatMap(HostedProcessing.init) ?? .allowed }
}

/// The consents of members, by the database role `diary_worker`.
package protocol ConsentStore: Sendable {
    /// Whether the account consents at this moment to engines outside the machine. Never cached.
    func hostedProcessing(of owner: Owner) async throws(WorkError) -> Bool
}
