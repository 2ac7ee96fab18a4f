import DiaryCrypto

/// Receives a signed PUT of one part where the API itself is the upload server. A part that comes again replaces the one before, until the parts
/// are joined.
package struct ReceivePart: Sendable {
    let uploads: any PartUploadStore
    let receiver: (any PartReceiver)?
    let parts: any UploadParts
    let keys: DataKeys

    /// - Parameter grant: of a checked URL.
    /// - Returns: the plaintext's SHA-256.
    func run(_ part: PartKey, _ grant: UploadGrant, body: any ByteStream) async throws(DiaryError) -> [UInt8] {
        guard let receiver else {
            throw DiaryError(.uploadRefused, detail: "Its upload has ended.", cause: "parts go to the bucket")
        }
        // Checked before the body is read, so that a refused body is not received.
        try await check(part)
        let key = try await keys.key(of: Owner(tenant: part.key.tenant, user: part.key.user))
        let digest: [UInt8]
        do {
            digest = try await receiver.receive(part, from: body, length: grant.length, sealedBy: key)
        } catch let error as ObjectStoreError {
            throw DiaryError(storing: error)
        } catch let error as DiaryError {
            throw error
        } catch {
            throw DiaryError(.malformedRequest, detail: "The body ended before its announced length.", cause: "body stream failed")
        }
        do throws(DiaryError) { try await check(part) } catch {
            // The set has ended while the part arrived; what is left of it is of no use.
            if [.uploadExists, .uploadRefused].contains(error.code) { try? await parts.discard(part.key, id: part.upload) }
            throw error
        }
        return digest
    }

    private func check(_ part: PartKey) async throws(DiaryError) {
        switch try await uploads.partUploadState(part.upload, of: part.key) {
        case .awaiting: return
        case .finished: throw DiaryError(.uploadExists)
        case .gone: throw DiaryError(.uploadRefused, detail: "Its upload has ended.", cause: "no open set of parts")
        }
    }
}
