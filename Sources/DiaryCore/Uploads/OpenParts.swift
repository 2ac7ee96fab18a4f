import FoundationEssentials

/// Signed URLs for the parts that have not arrived. Opens the set of parts when the entry has none, so that creating an entry needs no store.
package struct OpenParts: Sendable {
    let reissue: ReissueUpload
    let uploads: any PartUploadStore
    let parts: any UploadParts
    let signer: any PartSigner
    let limits: Limits
    let clock: WallClock

    /// Parts to send.
    package struct Offer: Sendable {
        package var plan: PartPlan
        /// How many have arrived, of all.
        package var received: Int
        package var targets: [(number: Int, size: Int64, target: UploadTarget)]
        /// Where to go on; nil when no later part is missing.
        package var next: Int?
    }

    /// - Parameters:
    ///   - from: the least number wanted.
    ///   - limit: how many at most.
    ///   - admit: as in `ReissueUpload`.
    package func run(
        _ id: EntryID, from: Int, limit: Int, by member: Member, admit: () async throws(DiaryError) -> Void
    ) async throws(DiaryError) -> Offer {
        let facts = try await reissue.run(id, by: member, admit: admit).entry.facts
        guard let object = facts.object, let size = facts.sizeBytes, let type = facts.contentType else { throw DiaryError(.uploadFinished) }
        let key = ObjectKey(kind: .staging, tenant: member.tenant, user: member.user, object: object)
        let (upload, arrived) = try await open(id, key, size: size, type: type, member)
        let known = Set(arrived.map(\.number))
        let now = clock.now()
        var offer = Offer(plan: upload.plan, received: known.count, targets: [], next: nil)
        for number in stride(from: max(1, from), through: upload.plan.count, by: 1) where !known.contains(number) {
            guard offer.targets.count < limit, let length = upload.length(of: number) else {
                offer.next = number
                break
            }
            let part = PartKey(key: key, upload: upload.id, number: number)
            let target = signer.sign(part, contentType: type, length: length, at: now, lifetime: Double(limits.uploadURLSeconds))
            offer.targets.append((number, length, target))
        }
        return offer
    }

    private func open(
        _ id: EntryID, _ key: ObjectKey, size: Int64, type: String, _ member: Member
    ) async throws(DiaryError) -> (PartUpload, [ArrivedPart]) {
        let state = try await uploads.partUpload(of: id, by: member)
        var known = state?.upload
        // Twice: the store may have dropped a set that the database names.
        for _ in 0..<2 {
            if let upload = known {
                do { return (upload, try await parts.arrived(upload)) } catch .missing {} catch { throw DiaryError(storing: error) }
            }
            // Asked before the store makes one; the database decides of several calls at once.
            if let others = state?.others, others >= PartPlan.openMost { throw DiaryError(.tooManyUploads) }
            let made: String
            do { made = try await parts.begin(key, contentType: type) } catch { throw DiaryError(storing: error) }
            let opening = PartUploadOpening(
                id: made, partSize: PartPlan(of: size, smallest: parts.smallestPart).partSize, replacing: known?.id, most: PartPlan.openMost
            )
            let state = try await uploads.openPartUpload(opening, of: id, by: member)
            if state?.id != made { try? await parts.discard(key, id: made) }
            guard let state else { throw DiaryError(.uploadFinished) }
            guard let upload = state.upload else { throw DiaryError(.tooManyUploads) }
            if upload.id == made { return (upload, []) }
            known = upload
        }
        throw DiaryError(.concurrentChange, retryAfter: 1)
    }
}
