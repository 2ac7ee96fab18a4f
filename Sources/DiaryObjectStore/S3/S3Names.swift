import DiaryCore
import S3Client
import Synchronization

/// Names of objects in a bucket: a prefix of the installation, then the object's key.
struct S3Names: Sendable {
    /// Empty, or it ends with a slash.
    let prefix: String

    subscript(key: ObjectKey) -> String { prefix + key.description }

    subscript(prefix: ObjectPrefix) -> String {
        let owner = prefix.owner.map { "\($0.tenant)/\($0.user)/" } ?? ""
        return "\(self.prefix)\(prefix.kind.rawValue)/\(owner)"
    }

    /// Nil for a name that this store gives to no object.
    func key(of name: String) -> ObjectKey? {
        guard name.hasPrefix(prefix) else { return nil }
        return ObjectKey(path: name.dropFirst(prefix.count))
    }

    var sweepMark: String { prefix + "sweep-mark" }
}

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

extension ObjectStoreError {
    init(_ error: S3Error) {
        switch error.reason {
        case .missing, .noUpload: self = .missing
        case .exists: self = .alreadyExists
        default: self = .unavailable(full: error.status == 507 || ["QuotaExceeded", "InsufficientStorage"].contains(error.code))
        }
    }

    /// Runs a request with its errors in the terms of stores.
    static func mapping<Value>(_ work: () async throws(S3Error) -> Value) async throws(ObjectStoreError) -> Value {
        do throws(S3Error) { return try await work() } catch { throw ObjectStoreError(error) }
    }
}
