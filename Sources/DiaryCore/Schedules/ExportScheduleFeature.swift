/// Schedules of exports, as their owner sees them, and the link that ends their mails.
package struct ExportScheduleFeature: Sendable {
    package let create: CreateExportSchedule
    package let edit: EditExportSchedule
    package let run: RunExportSchedule
    package let stopMail: StopScheduleMail
    let store: any ExportScheduleStore
    let keys: DataKeys

    init(_ ports: FeaturePorts) {
        store = ports.exportSchedules
        keys = ports.memberKeys
        create = CreateExportSchedule(
            store: store, keys: keys, zones: .system, clock: ports.clock, writes: ports.idempotentWrites)
        edit = EditExportSchedule(store: store, keys: keys, zones: .system)
        run = RunExportSchedule(
            store: store, exports: ports.exports, keys: keys, jobSignals: ports.jobSignals, limits: ports.limits,
            clock: ports.clock, writes: ports.idempotentWrites)
        stopMail = StopScheduleMail(store: store, tenants: ports.tenants, links: ports.links)
    }

    /// A member's schedules, newest first.
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

    /// Removes a schedule. Exports that it has made stay, and one that is being made is finished.
    package func delete(_ id: ExportScheduleID, by member: Member) async throws(DiaryError) {
        guard try await store.delete(id, by: member) else { throw .notFound }
    }
}

extension DiaryFeatures {
    package var exportSchedules: ExportScheduleFeature { ExportScheduleFeature(ports) }
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
