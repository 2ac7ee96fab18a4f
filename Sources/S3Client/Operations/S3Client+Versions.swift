import CurlTransfer

extension S3Client {
    /// Deletes all versions of one object, and the marks of its deletion.
    /// - Parameter kept: this version stays.
    package func deleteVersions(of key: String, but kept: String? = nil) async throws(S3Error) {
        try await deleteVersions(prefix: key) { $0.key == key && $0.version != kept }
    }

    package func deleteVersions(prefix: String) async throws(S3Error) { try await deleteVersions(prefix: prefix) { _ in true } }

    private func deleteVersions(prefix: String, where isMeant: (S3Version) -> Bool) async throws(S3Error) {
        var after: S3Version?
        repeat {
            let page = try await listVersions(prefix: prefix, after: after)
            let result = try await delete(page.versions.filter(isMeant))
            guard result.failed.isEmpty else { throw S3Error.left("DeleteObjects") }
            after = page.next
        } while after != nil
    }

    /// Whether deletions only hide objects. False for a service without versions.
    package func keepsVersions() async throws(S3Error) -> Bool {
        do throws(S3Error) {
            return try await versioning() != .off
        } catch {
            if error.reason == .unsupported { return false }
            throw error
        }
    }

    /// - Throws: `missing`.
    package func requireObject(_ key: String) async throws(S3Error) {
        guard try await head(key) == nil else { return }
        throw S3Error("HeadObject", .missing, status: 404)
    }
}

extension S3Error {
    /// A key that must be free has an object.
    package static func taken(_ operation: String) -> S3Error { S3Error(operation, .exists) }

    /// The service did not delete all of a batch.
    package static func left(_ operation: String) -> S3Error { S3Error(operation, .unavailable) }

    /// The service answers, and refuses this object alone.
    package var isOfOneObject: Bool {
        switch reason {
        case .denied, .refused: true
        default: self == .left(operation)
        }
    }

    /// The bytes to send could not be had.
    package static var body: S3Error { S3Error("PutObject", .transfer(.bodyFailed)) }
}
