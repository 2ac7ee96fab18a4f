/// Exports: requested, listed, revoked, mailed again, and downloaded by their owner or by their mailed link.
package struct ExportFeature: Sendable {
    package let request: RequestExport
    package let estimate: EstimateExport
    package let read: ReadExports
    package let revoke: RevokeExport
    package let mail: MailExport
    package let download: DownloadExport

    init(_ ports: FeaturePorts) {
        request = RequestExport(
            exports: ports.exports, profile: ReadProfile(profiles: ports.profiles, keys: ports.memberKeys),
            keys: ports.memberKeys, serviceKeys: ports.serviceKeys, jobSignals: ports.jobSignals, limits: ports.limits, clock: ports.clock)
        estimate = EstimateExport(exports: ports.exports, keys: ports.memberKeys, limits: ports.limits)
        read = ReadExports(exports: ports.exports, keys: ports.memberKeys)
        revoke = RevokeExport(exports: ports.exports)
        mail = MailExport(
            exports: ports.exports, keys: ports.memberKeys, jobSignals: ports.jobSignals, clock: ports.clock, writes: ports.idempotentWrites
        )
        download = DownloadExport(
            exports: ports.exports, tenants: ports.tenants, objects: ports.objects, keys: ports.memberKeys, links: ports.links,
            publicURL: ports.publicURL, clock: ports.clock)
    }
}

extension DiaryFeatures {
    package var exports: ExportFeature { ExportFeature(ports) }
}
