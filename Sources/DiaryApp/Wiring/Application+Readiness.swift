import DiaryCore
import DiaryDatabase
import DiaryHTTP
import PostgresClient
import RedisClient

/// The checks of `/readyz` that distinguish more than up and down.
extension Application {
    /// A Redis that answers and refuses writes (a replica, a full one, one that cannot save) is of no use to this service.
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

    func storageState() async -> ReadinessState { await objectStorage.state(largest: settings.limits.maxAudioBytes) }

    func workersCheck(_ database: ConnectionPool) -> ReadinessCheck {
        let presence = PostgresWorkerPresence(pool: database)
        return ReadinessCheck(state: {
            switch try? await presence.alive() {
            case .hearing: .ok
            case .deaf: .degraded
            case .gone, nil: .down
            }
        })
    }
}
