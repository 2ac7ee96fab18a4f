import DiaryCore
import FoundationEssentials
import Synchronization

/// What is known of members for some time: that their sessions or API tokens have ended, though their tokens are still validly made, and that
/// the use of an API token was noted. A request with an ended one is refused without charging the owner's limits and without a query; the
/// database is queried again after a minute.
///
/// Kept by tenant, user and session together, as in the database's check: a token that names another user with the same session must not
/// end it.
///
/// Two generations, as in the local rate limiter: when the young one is full it replaces the old one, which is dropped.
package final class RecentMembers: Sendable {
    private struct Generations {
        var young: [Member: Date] = [:]
        var old: [Member: Date] = [:]
    }

    private let seconds: Double
    private let generations = Mutex(Generations())
    private let half: Int

    /// - Parameter maximum: of members; one is about 80 bytes, with an API token 160.
    package init(seconds: Double = 60, maximum: Int = 20_000) {
        self.seconds = seconds
        half = max(1, maximum / 2)
    }

    func remember(_ member: Member, at now: Date) {
        generations.withLock { generations in
            if generations.young[member] == nil, generations.young.count >= half {
                generations.old = generations.young
                generations.young = [:]
            }
            generations.old[member] = nil
            generations.young[member] = now
        }
    }

    func holds(_ member: Member, at now: Date) -> Bool {
        let seen = generations.withLock { $0.young[member] ?? $0.old[member] }
        guard let seen else { return false }
        return now < seen.addingTimeInterval(seconds)
    }

    var count: Int { generations.withLock { $0.young.count + $0.old.count } }
}
