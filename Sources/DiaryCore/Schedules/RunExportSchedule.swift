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
