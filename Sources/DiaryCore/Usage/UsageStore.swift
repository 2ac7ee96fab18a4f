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

/// What a call that is about to begin may use. It counts against the limits until the call has ended, or until `seconds` have passed.
package struct UsageReservation: Sendable, Equatable {
    package let id: UUID
    package let amount: UsageAmount
    /// Longer than the call can take: it counts that long after a worker that crashed.
    package let seconds: Double

    package init(id: UUID, amount: UsageAmount, seconds: Double) {
        self.id = id
        self.amount = amount
        self.seconds = seconds
    }
}

package enum ReservationOutcome: Sendable, Equatable {
    case reserved
    /// The call alone is more than a limit: no day is long enough.
    case tooLarge
    /// The day's use leaves too little; the next day begins at the time.
    case usedUp(until: Date)
    /// Calls that are under way may use the rest; the first of them ends at the time at the latest.
    case heldByOthers(until: Date)
}
