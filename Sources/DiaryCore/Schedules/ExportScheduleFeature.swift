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
