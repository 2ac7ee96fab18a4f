import FoundationEssentials

/// A zip that is sent in parts: URLs of the parts that are missing, what has arrived, and the end of an attempt.
package struct ImportParts: Sendable {
    let create: CreateImport
    let imports: any ImportStore
    let offers: PartOffers
    let parts: any UploadParts

    package func open(_ id: ImportID, from: Int, limit: Int, by member: Member) async throws(DiaryError) -> OpenParts.Offer {
        let waiting = try await create.waiting(id, at: offers.clock.now(), by: member)
        guard let object = waiting.object else { throw waiting.uploadEnded }
        let key = ObjectKey(kind: .staging, owner: member.owner, object: object)
        return try await offers.offer(
            PartOffers.Upload(key: key, size: waiting.sizeBytes, contentType: Import.contentType), from: from, limit: limit,
            in: try await create.tenants.configuration(of: member.tenant),
            state: { () async throws(DiaryError) in try await imports.partUpload(of: id, by: member) },
            open: { (opening) async throws(DiaryError) in try await imports.openPartUpload(opening, of: id, by: member) })
    }

    package func list(_ id: ImportID, by member: Member) async throws(DiaryError) -> (plan: PartPlan, arrived: [ArrivedPart]) {
        let state = try await waiting(id, member)
        guard let upload = state.upload else { return (PartPlan(of: state.size, smallest: parts.smallestPart), []) }
        return (upload.plan, try await offers.arrived(upload) ?? [])
    }

    package func abort(_ id: ImportID, by member: Member) async throws(DiaryError) {
        let state = try await waiting(id, member)
        // The database first: from then on no further part is accepted.
        guard let upload = state.id, try await imports.closePartUpload(upload, of: id, by: member) else { return }
        do { try await parts.discard(state.key, id: upload) } catch { throw DiaryError(storing: error) }
    }

    private func waiting(_ id: ImportID, _ member: Member) async throws(DiaryError) -> PartUploadState {
        guard let state = try await imports.partUpload(of: id, by: member) else { throw .notFound }
        guard !state.isOpen else { return state }
        throw try await imports.find(id, of: member)?.uploadEnded ?? .notFound
    }
}
