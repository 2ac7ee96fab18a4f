import S3Client
import Synchronization

/// Whether the bucket keeps versions, asked for once. A service does not say it of an object that was hidden before, such as by a deletion that was
/// interrupted.
final class KeptVersions: Sendable {
    private let known = Mutex<Bool?>(nil)

    /// False while the service does not tell.
    func areKept(_ client: S3Client) async -> Bool {
        if let known = known.withLock({ $0 }) { return known }
        guard let found = try? await client.keepsVersions() else { return false }
        known.withLock { $0 = found }
        return found
    }
}
