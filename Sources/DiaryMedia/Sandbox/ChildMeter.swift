import FoundationEssentials
import Glibc
import Synchronization

/// How much of the processors a child's processes have used when its time is over, read before they are killed.
final class ChildMeter: Sendable {
    struct Reading: Sendable, Equatable {
        /// Processor time of all processes of the session, in seconds.
        var seconds: Double
        /// Threads of the process that has used most.
        var threads: Int

        /// Whether the machine gave the processes at least this share of the processors that these threads could use.
        /// - Parameter wallSeconds: from start to end.
        func isShare(_ share: Double, ofCores cores: Int, wallSeconds: Double) -> Bool {
            seconds >= share * Double(min(max(1, threads), max(1, cores))) * wallSeconds
        }
    }

    private struct State {
        var leader: pid_t?
        var reading: Reading?
    }

    private let state = Mutex(State())

    /// nil before the child's time is over, and where its processes cannot be seen.
    var reading: Reading? { state.withLock { $0.reading } }

    /// - Parameter leader: the process that began the session.
    func began(_ leader: pid_t) { state.withLock { $0.leader = leader } }

    func timedOut() {
        guard let leader = state.withLock({ $0.leader }) else { return }
        let reading = Self.sum(Self.stats(), ofSession: leader)
        state.withLock { $0.reading = reading }
    }

    /// What the kernel says of each process: some hundred small files that are in memory.
    private static func stats() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { Int($0) != nil }.compactMap { name in
            FileManager.default.contents(atPath: "/proc/\(name)/stat").map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// - Parameter stats: as `/proc/<pid>/stat` (proc_pid_stat(5)).
    static func sum(_ stats: [String], ofSession leader: pid_t) -> Reading? {
        // USER_HZ, of every architecture that the service runs on.
        let ticksPerSecond = 100.0
        var (ticks, most, threads) = (0, -1, 0)
        for stat in stats {
            // The name of the program stands in brackets and may hold any characters. The state follows, the third field.
            guard let bracket = stat.lastIndex(of: ")") else { continue }
            let fields = stat[stat.index(after: bracket)...].split(separator: " ").map { Int($0) ?? 0 }
            guard fields.count > 17, fields[3] == Int(leader) else { continue }
            let own = fields[11] + fields[12]
            // With that of children that have ended.
            ticks += own + fields[13] + fields[14]
            if own > most { (most, threads) = (own, fields[17]) }
        }
        return most < 0 ? nil : Reading(seconds: Double(ticks) / ticksPerSecond, threads: threads)
    }
}
