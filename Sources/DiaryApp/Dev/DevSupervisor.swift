import Logging
import ServiceLifecycle

/// Starts Postgres, Redis or the speech server again when it ends; the last one also once it has been fetched.
struct DevSupervisor: Service {
    let postgres: DevPostgres
    let redis: DevRedis
    let speech: DevSpeech?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(2))
                if Task.isCancelled { break }
                if !(await redis.isRunning()) { await restart("redis") { try await redis.launch() } }
                if let speech, speech.missing == nil, !speech.isRunning() { await restart("speech") { try await speech.launch() } }
                if !postgres.isRunning() { await restart("postgres") { try await postgres.start() } }
            }
        }
    }

    private func restart(_ server: String, _ launch: () async throws -> Void) async {
        guard !Task.isCancelled else { return }
        logger.warning("server ended; starting it again", metadata: ["server": "\(server)"])
        do { try await launch() } catch { logger.error("server does not start", metadata: ["server": "\(server)"]) }
    }
}
