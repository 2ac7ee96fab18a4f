/// Makes an export of a schedule now, besides those that are due.
package struct RunExportSchedule: Sendable {
    let store: any ExportScheduleStore
    let exports: any ExportStore
    let keys: DataKeys
    let zones: ZoneDatabase
    let jobSignals: any JobSignals
    let limits: Limits
    let clock: WallClock
    let writes: IdempotentWrites

    package func run(
        _ id: ExportScheduleID, key: RequestKey = .none, by member: Member, from origin: RequestOrigin
    ) async throws(DiaryError) -> (value: Export, replayed: Bool) {
        let export = ExportID(UUIDv7.make(at: clock.now()))
        return try await writes.run(.scheduleRun, key, request: [id.description], subject: export.uuid, by: member) {
            claim throws(DiaryError) in
            try await run(id, export, claim, by: member, from: origin)
        } replay: { known throws(DiaryError) in
            guard let export = try await exports.export(ExportID(known.subject), of: member) else { throw .notFound }
            return try await export.opened(for: member, keys)
        }
    }

    private func run(
        _ id: ExportScheduleID, _ export: ExportID, _ claim: KeyClaim?, by member: Member, from origin: RequestOrigin
    ) async throws(DiaryError) -> Export {
        guard let schedule = try await store.schedule(id, of: member) else { throw .notFound }
        var days: ClosedRange<CalendarDay>?
        if schedule.terms.covers == .period {
            let place = try await store.place(of: member)
            guard let times = schedule.terms.timing.times(zones) else { throw .unknownZone }
            days = SchedulePlan.daysNow(
                covered: schedule.coveredTo, times, dayEndsMinute: place.dayEndsMinute, now: place.now)
        }
        let asked = AskedRun(
            schedule: id, export: export, job: NewJob(.export, id: JobID(UUIDv7.make(at: clock.now()))),
            maxDownloads: limits.exportDownloads,
            days: days ?? CalendarDay.all, claim: claim, requestID: origin.requestID)
        guard let made = try await store.run(asked, by: member) else { throw .notFound }
        jobSignals.jobCommitted(asked.job.kind)
        return try await made.opened(for: member, keys)
    }
}
