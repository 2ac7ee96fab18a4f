import DiaryCore
import FoundationEssentials
import Synchronization

/// Sessions that have ended while their access tokens are still validly signed. A request with such a token is refused without charging the
/// owner's limits and without a query; the database is queried again after a minute.
///
/// Kept by tenant, user and session together, as in the database's check: a token that names another user with the same session must not
/// end it.
///
/// Two generations, as in the local rate limiter: when the young one is full it replaces the old one, which is dropped.
package final class EndedSessions: Sendable {
    private struct Generations {
        var young: [Member: Date] = [:]
        var old: [Member: Date] = [:]
    }

    /// Seconds.
    static let memory = 60.0

    private let generations = Mutex(Generations())
    private let half: Int

    /// - Parameter maximumSessions: one is about 80 bytes.
    package init(maximumSessions: Int = 20_000) { half = max(1, maximumSessions / 2) }

    /// Called when a handler has found the session ended.
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
        return now < seen.addingTimeInterval(Self.memory)
    }

    var count: Int { generations.withLock { $0.young.count + $0.old.count } }
}
