import DiaryCore
import DiaryDatabase
import DiaryHTTP
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

    func workersCheck(_ database: ConnectionPool) -> ReadinessCheck {
        let presence = PostgresWorkerPresence(pool: database)
        return ReadinessCheck { (try? await presence.isAnyAlive()) ?? false }
    }
}
