package import FoundationEssentials

/// Signed URLs for the parts of an upload that have not arrived. Opens the set of parts when the upload has none.
struct PartOffers: Sendable {
    let parts: any UploadParts
    let objects: any ObjectStore
    let signer: any PartSigner
    let uploads: UploadURLs
    let clock: WallClock

    struct Upload: Sendable {
        var key: ObjectKey
        var size: Int64
        var contentType: String
    }

    /// - Parameters:
    ///   - tenant: of the upload.
    ///   - state: the database's, as it is at each call.
    ///   - open: stores a new set, unless there is another one by now.
    func offer(
        _ wanted: Upload, from: Int, limit: Int, in tenant: TenantConfiguration, state: () async throws(DiaryError) -> PartUploadState?,
        open: (PartUploadOpening) async throws(DiaryError) -> PartUploadState?
    ) async throws(DiaryError) -> OpenParts.Offer {
        let (upload, arrived) = try await opened(wanted, state, open)
        let known = Set(arrived.map(\.number))
        let (now, lifetime) = (clock.now(), uploads.lifetime(in: tenant))
        var offer = OpenParts.Offer(plan: upload.plan, received: known.count, targets: [], next: nil)
        for number in stride(from: max(1, from), through: upload.plan.count, by: 1) where !known.contains(number) {
            guard offer.targets.count < limit, let length = upload.length(of: number) else {
                offer.next = number
                break
            }
            let part = PartKey(key: wanted.key, upload: upload.id, number: number)
            let target = signer.sign(part, contentType: wanted.contentType, length: length, at: now, lifetime: lifetime)
            offer.targets.append((number, length, target))
        }
        return offer
    }

    /// What has arrived of a set: all parts also when a `complete` has joined them and did not reach the database. A bucket then has
    /// no set any more, and the recording in staging.
    /// - Returns: nil when the store has lost the set.
    func arrived(_ upload: PartUpload) async throws(DiaryError) -> [ArrivedPart]? {
        do { return try await parts.arrived(upload) } catch .missing {} catch { throw DiaryError(storing: error) }
        do { return try await objects.facts(upload.key).size == upload.size ? upload.joined : nil } catch .missing { return nil } catch {
            throw DiaryError(storing: error)
        }
    }

    private func opened(
        _ wanted: Upload, _ state: () async throws(DiaryError) -> PartUploadState?,
        _ open: (PartUploadOpening) async throws(DiaryError) -> PartUploadState?
    ) async throws(DiaryError) -> (PartUpload, [ArrivedPart]) {
        let state = try await state()
        var known = state?.upload
        // Twice: the store may have dropped a set that the database names.
        for _ in 0..<2 {
            if let upload = known, let arrived = try await self.arrived(upload) { return (upload, arrived) }
            // Asked before the store makes one; the database decides of several calls at once.
            if let others = state?.others, others >= PartPlan.openMost { throw DiaryError(.tooManyUploads) }
            let made: String
            do { made = try await parts.begin(wanted.key, contentType: wanted.contentType) } catch { throw DiaryError(storing: error) }
            let opening = PartUploadOpening(
                id: made, partSize: PartPlan(of: wanted.size, smallest: parts.smallestPart).partSize, replacing: known?.id,
                most: PartPlan.openMost
            )
            let state = try await open(opening)
            if state?.id != made { try? await parts.discard(wanted.key, id: made) }
            guard let state else { throw DiaryError(.uploadFinished) }
            guard let upload = state.upload else { throw DiaryError(.tooManyUploads) }
            if upload.id == made { return (upload, []) }
            known = upload
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }
}

/// Makes signed PUT URLs of parts; local arithmetic only.
package protocol PartSigner: Sendable {
    func sign(_ part: PartKey, contentType: String, length: Int64, at now: Date, lifetime: Double) -> UploadTarget
}
