import DiaryCore
import FoundationEssentials
import Synchronization

/// Sessions that have ended while tokens of theirs are still well signed. Whoever holds such a token is turned away without a limit of the owner's being
/// charged and without a question to the database, which is asked again after a minute.
///
/// Two generations, as in the limiter of this process: a full young one becomes the old one, and that is forgotten.
package final class EndedSessions: Sendable {
    private struct Generations {
        var young: [SessionID: Date] = [:]
        var old: [SessionID: Date] = [:]
    }

    /// Seconds.
    static let memory = 60.0

    private let generations = Mutex(Generations())
    private let half: Int

    /// - Parameter maximumSessions: one is about 50 bytes.
    package init(maximumSessions: Int = 20_000) { half = max(1, maximumSessions / 2) }

    /// A handler has found the session ended.
    func remember(_ session: SessionID, at now: Date) {
        generations.withLock { generations in
            if generations.young[session] == nil, generations.young.count >= half {
                generations.old = generations.young
                generations.young = [:]
            }
            generations.old[session] = nil
            generations.young[session] = now
        }
    }

    func holds(_ session: SessionID, at now: Date) -> Bool {
        let seen = generations.withLock { $0.young[session] ?? $0.old[session] }
        guard let seen else { return false }
        return now < seen.addingTimeInterval(Self.memory)
    }

    var count: Int { generations.withLock { $0.young.count + $0.old.count } }
}
