import CurlTransfer
import FoundationEssentials
import WireFormats

/// What a bucket does with old versions.
package enum S3Versioning: Sendable, Equatable {
    case off
    case on
    /// Versions of before are kept.
    case suspended
}

/// A rule of what pages of other origins may do.
package struct S3CrossOriginRule: Sendable, Equatable {
    package let origins: [String]
    package let methods: [String]
    package let headers: [String]
}

extension S3Client {
    /// - Returns: this machine's clock less the service's, in seconds; nil when the service does not say its time.
    /// - Throws: `missing` or `noBucket` when there is no such bucket.
    package func headBucket() async throws(S3Error) -> Double? {
        try await send(try request("HeadBucket", .head, nil)) { answer throws(S3Error) in
            answer.head.header("date").flatMap { HTTPDate.date($0) }.map { Date().timeIntervalSince($0) }
        }
    }

    package func versioning() async throws(S3Error) -> S3Versioning {
        let root = try await bucketDocument("GetBucketVersioning", "versioning", "VersioningConfiguration")
        switch root.text("Status") {
        case "Enabled": return .on
        case "Suspended": return .suspended
        default: return .off
        }
    }

    /// - Returns: no rules when there is no configuration.
    package func lifecycle() async throws(S3Error) -> [S3LifecycleRule] {
        do throws(S3Error) {
            let root = try await bucketDocument("GetBucketLifecycleConfiguration", "lifecycle", "LifecycleConfiguration")
            return root.all("Rule").map { S3LifecycleRule($0) }
        } catch {
            if error.status == 404, error.reason != .noBucket { return [] }
            throw error
        }
    }

    /// - Returns: no rules when there is no configuration.
    package func crossOriginRules() async throws(S3Error) -> [S3CrossOriginRule] {
        do throws(S3Error) {
            return try await bucketDocument("GetBucketCors", "cors", "CORSConfiguration").all("CORSRule").map { rule in
                S3CrossOriginRule(
                    origins: rule.all("AllowedOrigin").map(\.text), methods: rule.all("AllowedMethod").map(\.text),
                    headers: rule.all("AllowedHeader").map(\.text))
            }
        } catch {
            if error.status == 404, error.reason != .noBucket { return [] }
            throw error
        }
    }

    /// Whether the object can be read without a signature.
    package func isPublic(_ key: String) async throws(S3Error) -> Bool {
        var request = try request("GetObject", .get, key)
        request.isAnonymous = true
        do throws(S3Error) {
            return try await send(request) { _ throws(S3Error) in true }
        } catch {
            guard (400..<500).contains(error.status), error.reason != .unavailable else { throw error }
            return false
        }
    }

    /// Sends a presigned upload as a client does.
    /// - Returns: nil when the service took it, else its refusal.
    package func tryUpload(_ upload: S3Presigned, _ bytes: [UInt8]) async throws(S3Error) -> S3Error? {
        do throws(S3Error) {
            try await sendPresigned(upload, bytes)
            return nil
        } catch {
            guard (400..<500).contains(error.status) || error.reason == .unsupported, error.reason != .unavailable else { throw error }
            return error
        }
    }

    private func bucketDocument(_ operation: String, _ name: String, _ root: String) async throws(S3Error) -> XMLElement {
        var request = try request(operation, .get, nil)
        request.query = [(name: name, value: nil)]
        return try await send(request, maximumBytes: 1 << 20) { answer throws(S3Error) in
            let found = try Self.document(operation, answer)
            guard found.name == root else { throw S3Error(operation, .unreadable, status: answer.status) }
            return found
        }
    }
}
