/// Removes a schedule. Exports that it has made stay, and one that is being made is finished.
package struct DeleteExportSchedule: Sendable {
    let store: any ExportScheduleStore

    package func run(_ id: ExportScheduleID, by member: Member) async throws(DiaryError) {
        guard try await store.delete(id, by: member) else { throw .notFound }
    }
}
