package import FoundationEssentials

/// What engines used, by the database role `diary_worker`.
package protocol UsageStore: Sendable {
    /// Reserves what a call may use. Of any number of calls at once, only those are admitted that fit the limits together.
    func reserve(
        _ reservation: UsageReservation, within limits: UsageLimits, of owner: Owner, at now: Date
    ) async throws(WorkError) -> ReservationOutcome
    /// Ends a reservation, if there was one, and adds what the call used.
    /// - Parameter used: nil for a call that gave no answer.
    func settle(_ reservation: UUID?, used: UsageAmount?, of owner: Owner, at now: Date) async throws(WorkError)
}
