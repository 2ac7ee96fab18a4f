import DiaryCore
import FoundationEssentials
import Synchronization

/// Sessions that have ended while tokens of theirs are still well signed. Whoever holds such a token is turned away without a limit of the owner's being
/// charged and without a question to the database, which is asked again after a minute.
///
/// Kept by tenant, user and session together, as the database was asked: a token that names another user with it says nothing about the session.
///
/// Two generations, as in the limiter of this process: a full young one becomes the old one, and that is forgotten.
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

    /// A handler has found the session ended.
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
