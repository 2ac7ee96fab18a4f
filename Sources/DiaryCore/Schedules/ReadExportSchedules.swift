/// A member's schedules, newest first.
package struct ReadExportSchedules: Sendable {
    let store: any ExportScheduleStore
    let keys: DataKeys

    package func list(before position: ListPosition?, limit: Int, of member: Member) async throws(DiaryError) -> ListPage<ExportSchedule> {
        let found = try await store.schedules(before: position, limit: limit + 1, of: member)
        var opened: [ExportSchedule] = []
        for schedule in found { opened.append(try await schedule.opened(for: member, keys)) }
        return ListPage(opened, limit: limit) { ListPosition(at: $0.createdAt, id: $0.id.uuid) }
    }

    package func one(_ id: ExportScheduleID, of member: Member) async throws(DiaryError) -> ExportSchedule {
        guard let schedule = try await store.schedule(id, of: member) else { throw .notFound }
        return try await schedule.opened(for: member, keys)
    }
}
