/// Which parts of a recording have arrived.
package struct ListParts: Sendable {
    let entries: any EntryStore
    let uploads: any PartUploadStore
    let parts: any UploadParts

    package func run(_ id: EntryID, by member: Member) async throws(DiaryError) -> (plan: PartPlan, arrived: [ArrivedPart]) {
        let state = try await uploads.openState(of: id, by: member, entries)
        guard let upload = state.upload else { return (PartPlan(of: state.size, smallest: parts.smallestPart), []) }
        do { return (upload.plan, try await parts.arrived(upload)) } catch .missing { return (upload.plan, []) } catch {
            throw DiaryError(storing: error)
        }
    }
}
