/// Schedules of exports, as their owner sees them, and the link that ends their mails.
package struct ExportScheduleFeature: Sendable {
    package let create: CreateExportSchedule
    package let read: ReadExportSchedules
    package let edit: EditExportSchedule
    package let delete: DeleteExportSchedule
    package let run: RunExportSchedule
    package let stopMail: StopScheduleMail

    init(_ ports: FeaturePorts) {
        let store = ports.exportSchedules
        create = CreateExportSchedule(
            store: store, keys: ports.memberKeys, zones: .system, clock: ports.clock, writes: ports.idempotentWrites)
        read = ReadExportSchedules(store: store, keys: ports.memberKeys)
        edit = EditExportSchedule(store: store, keys: ports.memberKeys, zones: .system)
        delete = DeleteExportSchedule(store: store)
        run = RunExportSchedule(
            store: store, exports: ports.exports, keys: ports.memberKeys, jobSignals: ports.jobSignals, limits: ports.limits,
            clock: ports.clock, writes: ports.idempotentWrites)
        stopMail = StopScheduleMail(store: store, tenants: ports.tenants, links: ports.links)
    }
}

extension DiaryFeatures {
    package var exportSchedules: ExportScheduleFeature { ExportScheduleFeature(ports) }
}

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

/// Makes an export of a schedule now, besides those that are due.
package struct RunExportSchedule: Sendable {
    let store: any ExportScheduleStore
    let exports: any ExportStore
    let keys: DataKeys
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock
    let writes: IdempotentWrites

    package func run(
        _ id: ExportScheduleID, key: RequestKey = .none, by member: Member, from origin: RequestOrigin
    ) async throws(DiaryError) -> (value: Export, replayed: Bool) {
        let run = ScheduledRun(at: clock.now(), limits)
        return try await writes.run(.scheduleRun, key, request: [id.description], subject: run.export.uuid, by: member) {
            claim throws(DiaryError) in
            guard let made = try await store.run(id, run, claim: claim, requestID: origin.requestID, by: member) else { throw .notFound }
            jobSignals.jobCommitted(run.job.kind)
            return try await made.opened(for: member, keys)
        } replay: { known throws(DiaryError) in
            guard let export = try await exports.export(ExportID(known.subject), of: member) else { throw .notFound }
            return try await export.opened(for: member, keys)
        }
    }
}
