/// Exports: requested, listed, revoked, mailed again, and downloaded by their owner or by their mailed link.
package struct ExportFeature: Sendable {
    package let request: RequestExport
    package let estimate: EstimateExport
    package let mail: MailExport
    package let download: DownloadExport
    package let bundle: BundleEntry
    let exports: any ExportStore
    let keys: DataKeys

    init(_ ports: FeaturePorts) {
        request = RequestExport(
            exports: ports.exports, profiles: ports.profiles, keys: ports.memberKeys, serviceKeys: ports.serviceKeys,
            jobSignals: ports.jobSignals, limits: ports.limits, clock: ports.clock)
        estimate = EstimateExport(exports: ports.exports, keys: ports.memberKeys, limits: ports.limits)
        mail = MailExport(
            exports: ports.exports, keys: ports.memberKeys, jobSignals: ports.jobSignals, clock: ports.clock, writes: ports.idempotentWrites
        )
        download = DownloadExport(
            exports: ports.exports, tenants: ports.tenants, objects: ports.objects, keys: ports.memberKeys, links: ports.links,
            publicURL: ports.publicURL, clock: ports.clock)
        bundle = BundleEntry(
            entries: ports.wholeEntries, bundler: ports.bundler, tenants: ports.tenants, keys: ports.memberKeys,
            turns: AccountTurns(of: "bundles", most: 2))
        exports = ports.exports
        keys = ports.memberKeys
    }

    /// A member's exports, newest first, of one schedule and in one state where these are given.
    package func list(
        before position: ListPosition?, limit: Int, schedule: ExportScheduleID?, status: ExportStatus?, of member: Member
    ) async throws(DiaryError) -> ListPage<Export> {
        let found = try await exports.exports(before: position, limit: limit + 1, schedule: schedule, status: status, of: member)
        var opened: [Export] = []
        opened.reserveCapacity(found.count)
        for export in found { opened.append(try await export.opened(for: member, keys)) }
        return ListPage(opened, limit: limit) { ListPosition(at: $0.createdAt, id: $0.id.uuid) }
    }

    package func one(_ id: ExportID, of member: Member) async throws(DiaryError) -> Export {
        guard let export = try await exports.export(id, of: member) else { throw .notFound }
        return try await export.opened(for: member, keys)
    }

    /// Ends an export: its link stops working at once, and the sweeper deletes the zip.
    package func revoke(_ id: ExportID, by member: Member) async throws(DiaryError) {
        guard try await exports.revoke(id, by: member) else { throw .notFound }
    }
}

extension DiaryFeatures {
    package var exports: ExportFeature { ExportFeature(ports) }
}
