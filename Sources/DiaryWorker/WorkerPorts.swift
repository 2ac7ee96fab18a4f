package import DiaryCore
package import Logging

/// What the jobs need, filled in by the application's wiring.
package struct WorkerPorts: Sendable {
    let transcriptions: any TranscriptionStore
    let exportBuilds: any ExportBuildStore
    let imports: any ImportRunStore
    let mails: any MailQueueStore
    /// Asked for linked exports only.
    let exports: any ExportStore
    let tenants: any TenantStore
    let objects: any ObjectStore
    let keys: DataKeys
    let serviceKeys: ServiceKeys

    let probe: any MediaProbe
    let renderer: any RecordingRenderer
    let engines: any EngineSource
    /// In the order in which they are asked.
    let gates: [any EngineGate]
    let composer: any MailComposer
    let routing: any MailRouting
    let links: any LinkSigning
    /// Without a slash at its end.
    let publicURL: String

    let folders: JobFolders
    let limits: Limits
    let logger: Logger

    /// - Parameter temporary: an empty folder (0700) that this process alone uses; jobs make their folders in it.
    package init(
        transcriptions: any TranscriptionStore, exportBuilds: any ExportBuildStore, imports: any ImportRunStore, mails: any MailQueueStore,
        exports: any ExportStore,
        tenants: any TenantStore, objects: any ObjectStore, keys: DataKeys, serviceKeys: ServiceKeys, probe: any MediaProbe,
        renderer: any RecordingRenderer,
        engines: any EngineSource, gates: [any EngineGate], composer: any MailComposer, routing: any MailRouting,
        links: any LinkSigning,
        publicURL: String, temporary: String, limits: Limits, logger: Logger
    ) {
        self.transcriptions = transcriptions
        self.exportBuilds = exportBuilds
        self.imports = imports
        self.mails = mails
        self.exports = exports
        self.tenants = tenants
        self.objects = objects
        self.keys = keys
        self.serviceKeys = serviceKeys
        self.probe = probe
        self.renderer = renderer
        self.engines = engines
        self.gates = gates
        self.composer = composer
        self.routing = routing
        self.links = links
        self.publicURL = publicURL
        folders = JobFolders(root: temporary)
        BlockingWork.prepare()
        PipedZip.prepare()
        ImportWork.prepare()
        self.limits = limits
        self.logger = logger
    }
}
