import Synchronization

/// The signing values of the current day, kept for its signatures.
package final class SigV4Today: Sendable {
    private let known = Mutex<SigV4Day?>(nil)

    package init() {}

    package func day(_ credentials: SigV4Credentials, scope: SigV4Scope) -> SigV4Day {
        known.withLock { known in
            if let known, known.scope == scope { return known }
            let day = SigV4Day(credentials, scope: scope)
            known = day
            return day
        }
    }
}
