import DiaryCore
import DiaryDatabase
import DiaryHTTP
import DiaryObjectStore
import DiaryWorker
import PostgresClient
import RedisClient

/// Checks of `/readyz` that tell more than whether something answers.
extension Application {
    /// A Redis that answers and takes no writes (a replica, a full one, one that cannot save) does nothing for this service.
    func redisState() async -> ReadinessState {
        do throws(RedisError) {
            _ = try await redis.send("SET", "diary:readiness", 1, "EX", 60)
            return .ok
        } catch .server {
            return .degraded
        } catch {
            return .down
        }
    }

    func storageState() async -> ReadinessState { await objectStores.state(largest: settings.limits.maxAudioBytes) }

    /// Two of the largest recordings, or a thousand files, no longer fit.
    static func isShort(_ space: DiskSpace, largest: Int64) -> Bool {
        space.bytes / 2 < largest || space.files.map { $0 < 1_000 } ?? false
    }

    func workersCheck(_ database: ConnectionPool) -> ReadinessCheck {
        let presence = PostgresWorkerPresence(pool: database)
        return ReadinessCheck { (try? await presence.isAnyAlive()) ?? false }
    }

    func presenceReporter(_ pool: ConnectionPool, name: String) -> PresenceReporter {
        PresenceReporter(
            presence: PostgresWorkerPresence(pool: pool), worker: WorkerIdentity(name: name, version: Version.text), logger: logger)
    }
}
