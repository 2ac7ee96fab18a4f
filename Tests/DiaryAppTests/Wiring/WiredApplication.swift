import CurlTransfer
import FoundationEssentials
import Logging
import PostgresClient
import ServiceLifecycle
import TestSupport

@testable import DiaryApp

/// An application on folders of its own. No server runs: its databases and its Redis are sockets that do not exist, and media
/// providers are scripted unless a test chooses others.
final class WiredApplication: Sendable {
    let application: Application
    let worker: WorkerSettings
    private let folder: String
    /// Of the package.
    private static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }.path

    init(_ changes: [String: String?] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "wiring-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let own: [String: String?] = [
            "DIARY_DATABASE_URL": "postgresql:///diary?host=\(folder)", "DIARY_KEYS_DATABASE_URL": "postgresql:///keys?host=\(folder)",
            "DIARY_REDIS_URL": "redis+unix://\(folder)/redis.sock", "DIARY_OBJECTS": folder + "/objects",
            "DIARY_TEMPORARY": folder + "/tmp", "DIARY_MAIL_OUTBOX": folder + "/mail", "DIARY_PROBE": "scripted",
            "DIARY_SPEECH": "scripted", "DIARY_CLEANUP": "scripted", "DIARY_SHARE": Self.root,
        ]
        let environment = Environment.service(own.merging(changes) { $1 })
        do {
            worker = try WorkerSettings(environment)
            application = try Application(
                Settings(environment, for: .worker), installedFiles: InstalledFiles.find(environment), logger: .quiet)
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw error
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The worker's services, shown to a test and closed unrun.
    func withWorkerServices(_ test: ([any Service]) throws -> Void) async throws {
        let services = try await application.workerServices(worker)
        defer { withExtendedLifetime(self) {} }
        let result = Result { try test(services) }
        for service in services {
            for pool in (service as? ConnectionPoolShutdown)?.pools ?? [] { await pool.close(within: .zero) }
            await (service as? TransferShutdown)?.transfers.close(within: .zero)
        }
        try result.get()
    }
}
