package import DiaryCrypto

/// Receives a signed PUT of one part where the API itself is the upload server. A part that comes again replaces the one before, until the parts
/// are joined.
package struct ReceivePart: Sendable {
    let uploads: any PartUploadStore
    let imports: any ImportStore
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
        switch try await state(of: part) {
        case .awaiting: break
        case .finished: throw DiaryError(.uploadExists)
        case .closed, .gone: throw Self.ended
        }
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
        switch try await state(of: part) {
        // Closed while the part arrived: its set is kept, so it counts.
        case .awaiting, .closed: return digest
        // The set has ended while the part arrived; what is left of it is of no use.
        case .finished:
            try? await parts.discard(part.key, id: part.upload)
            throw DiaryError(.uploadExists)
        case .gone:
            try? await parts.discard(part.key, id: part.upload)
            throw Self.ended
        }
    }

    /// The state of the set of a recording, or of a zip to be imported.
    private func state(of part: PartKey) async throws(DiaryError) -> PartSetState {
        let recording = try await uploads.partUploadState(part.upload, of: part.key)
        return recording == .gone ? try await imports.partUploadState(part.upload, of: part.key) : recording
    }

    private static var ended: DiaryError {
        DiaryError(.uploadRefused, detail: "Its upload has ended.", cause: "no open set of parts")
    }
}

/// The parts of an upload where the API itself is the upload server.
package protocol PartReceiver: Sendable {
    /// Seals the body while it arrives. The part is durable when this returns, in place of an earlier one of its number.
    /// - Returns: the plaintext's SHA-256.
    /// - Throws: `lengthMismatch`, what the body throws.
    func receive(_ part: PartKey, from body: any ByteStream, length: Int64, sealedBy dataKey: DataKey) async throws -> [UInt8]
}
