import DiaryCore
import S3Client

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
