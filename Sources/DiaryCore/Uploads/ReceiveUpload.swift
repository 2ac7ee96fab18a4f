/// The disk store's side of a signed PUT: checks the URL and that its entry still waits, then seals the body as it arrives. Never overwrites (D10).
package struct ReceiveUpload: Sendable {
    let verifier: any UploadVerifying
    let entries: any EntryStore
    let objects: any ObjectStore
    let keys: DataKeys
    let clock: WallClock

    /// - Returns: the plaintext's SHA-256.
    package func run(
        method: String, path: String, query: String, headers: [(name: String, value: String)], body: any ByteStream
    ) async throws(DiaryError) -> [UInt8] {
        let grant = try verifier.verify(method: method, path: path, query: query, headers: headers, at: clock.now())
        let owner = Owner(tenant: grant.key.tenant, user: grant.key.user)
        // Asked before the body, so that nothing is received in vain.
        switch try await entries.uploadState(grant.key.object, of: owner) {
        case .awaiting: break
        case .finished: throw DiaryError(.uploadExists)
        case .gone: throw DiaryError(.uploadRefused, cause: "no open entry waits for it")
        }
        let key = try await keys.key(of: owner)
        do {
            let digest = try await objects.put(grant.key, from: body, length: grant.length, sha256: grant.sha256, sealedBy: key)
            try await settle(grant.key, of: owner)
            return digest
        } catch ObjectStoreError.alreadyExists {
            // The put that stored it may not have lived to say so, nor to bring it to disk for good. In staging it is missing once it is verified.
            do { try await objects.persist(grant.key) } catch .missing {} catch { throw DiaryError(storing: error) }
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

    /// The last step before a recording is acknowledged. What arrives while its entry is deleted or given up is refused and taken away again.
    private func settle(_ key: ObjectKey, of owner: Owner) async throws(DiaryError) {
        if try await entries.uploadArrived(key.object, of: owner) { return }
        try? await objects.delete(key)
        throw DiaryError(.uploadRefused, detail: "Its entry has ended.", cause: "its entry has ended")
    }
}
