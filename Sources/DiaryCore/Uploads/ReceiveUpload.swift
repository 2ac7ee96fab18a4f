package import FoundationEssentials

/// Receives a signed PUT where the API itself is the upload server: checks the URL and that the entry still waits, then seals the body as
/// it arrives. Never overwrites (decision D10).
///
/// Receiving proves nothing: `CompleteUpload` and the sweeper check the store. `uploadArrived` marks the entry before the PUT is
/// acknowledged, so that a sweeper that found nothing a moment ago does not fail an upload that its client takes for stored.
package struct ReceiveUpload: Sendable {
    let verifier: any UploadVerifying
    let entries: any EntryStore
    let imports: any ImportStore
    let objects: any ObjectStore
    let keys: DataKeys
    let clock: WallClock
    let parts: ReceivePart

    /// - Returns: the plaintext's SHA-256.
    package func run(
        method: String, path: String, query: String, headers: [(name: String, value: String)], body: any ByteStream
    ) async throws(DiaryError) -> [UInt8] {
        let grant = try verifier.verify(method: method, path: path, query: query, headers: headers, at: clock.now())
        if let part = grant.part { return try await parts.run(part, grant, body: body) }
        let owner = Owner(tenant: grant.key.tenant, user: grant.key.user)
        // Checked before the body is read, so that a refused body is not received.
        switch try await state(of: grant.key.object, owner) {
        case .awaiting: break
        case .finished: throw DiaryError(.uploadExists)
        case .gone: throw DiaryError(.uploadRefused, cause: "nothing waits for it")
        }
        let key = try await keys.key(of: owner)
        do {
            let digest = try await objects.put(grant.key, from: body, length: grant.length, sha256: grant.sha256, sealedBy: key)
            try await settle(grant.key, of: owner)
            return digest
        } catch ObjectStoreError.alreadyExists {
            // The process that stored it may have died before it made the object durable or marked the entry. Once verified it is missing
            // in staging.
            do { try await objects.confirmDurable(grant.key) } catch .missing {} catch { throw DiaryError(storing: error) }
            try await settle(grant.key, of: owner)
            throw DiaryError(.uploadExists)
        } catch let error as ObjectStoreError {
            throw DiaryError(storing: error)
        } catch let error as DiaryError {
            throw error
        } catch {
            throw DiaryError(.malformedRequest, detail: "The body ended before its announced length.", cause: "body stream failed")
        }
    }

    /// Recordings and zips to be imported are uploaded by the same route: entries are searched first, then imports.
    private func state(of object: UUID, _ owner: Owner) async throws(DiaryError) -> UploadState {
        let entry = try await entries.uploadState(object, of: owner)
        return entry == .gone ? try await imports.uploadState(object, of: owner) : entry
    }

    /// The last step before the PUT is acknowledged: marks the entry. When it was deleted meanwhile, the upload is refused and deleted.
    private func settle(_ key: ObjectKey, of owner: Owner) async throws(DiaryError) {
        if try await entries.uploadArrived(key.object, of: owner) { return }
        if try await imports.uploadState(key.object, of: owner) != .gone { return }
        try? await objects.delete(key)
        throw DiaryError(.uploadRefused, detail: "Its entry has ended.", cause: "its entry has ended")
    }
}

package protocol UploadVerifying: Sendable {
    /// - Parameters:
    ///   - path: raw, as in the request line, without the query; `query`: raw, without the `?`.
    /// - Throws: `uploadURLExpired`, or `uploadRefused` for everything else.
    func verify(
        method: String, path: String, query: String, headers: [(name: String, value: String)], at now: Date
    ) throws(DiaryError) -> UploadGrant
}

/// What a valid upload URL permits: to store, once, a body of this length, type and, when given, digest under this key; or one part of it.
package struct UploadGrant: Sendable, Equatable {
    package var key: ObjectKey
    package var contentType: String
    package var length: Int64
    package var sha256: [UInt8]?
    package var part: PartKey? = nil

    package init(key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, part: PartKey? = nil) {
        self.key = key
        self.contentType = contentType
        self.length = length
        self.sha256 = sha256
        self.part = part
    }
}
