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
