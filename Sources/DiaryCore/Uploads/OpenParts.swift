import FoundationEssentials

/// Signed URLs for the parts of a recording that have not arrived. The set of parts is opened here, so that creating an entry needs no store.
package struct OpenParts: Sendable {
    let reissue: ReissueUpload
    let uploads: any PartUploadStore
    let offers: PartOffers

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
        let key = ObjectKey(kind: .staging, owner: member.owner, object: object)
        return try await offers.offer(
            PartOffers.Upload(key: key, size: size, contentType: type), from: from, limit: limit,
            in: try await reissue.tenants.configuration(of: member.tenant),
            state: { () async throws(DiaryError) in try await uploads.partUpload(of: id, by: member) },
            open: { (opening) async throws(DiaryError) in try await uploads.openPartUpload(opening, of: id, by: member) })
    }
}

/// Which parts of a recording have arrived.
package struct ListParts: Sendable {
    let entries: any EntryStore
    let uploads: any PartUploadStore
    let offers: PartOffers

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> (plan: PartPlan, arrived: [ArrivedPart]) {
        let state = try await uploads.openState(of: id, by: member, entries)
        guard let upload = state.upload else { return (PartPlan(of: state.size, smallest: offers.parts.smallestPart), []) }
        return (upload.plan, try await offers.arrived(upload) ?? [])
    }
}

/// Ends a set of parts and deletes them. The entry goes on waiting.
package struct AbortParts: Sendable {
    let entries: any EntryStore
    let uploads: any PartUploadStore
    let parts: any UploadParts

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) {
        let state = try await uploads.openState(of: id, by: member, entries)
        // The database first: from then on no further part is accepted.
        guard let upload = state.id, try await uploads.closePartUpload(upload, of: id, by: member) else { return }
        do { try await parts.discard(state.key, id: upload) } catch { throw DiaryError(storing: error) }
    }
}
