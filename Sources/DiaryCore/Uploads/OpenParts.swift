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
            state: { () async throws(DiaryError) in try await uploads.partUpload(of: id, by: member) },
            open: { (opening) async throws(DiaryError) in try await uploads.openPartUpload(opening, of: id, by: member) })
    }
}
