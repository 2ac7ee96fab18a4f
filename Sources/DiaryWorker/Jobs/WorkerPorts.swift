package import DiaryCore

/// What the jobs need, filled in by the application's wiring.
package struct WorkerPorts: Sendable {
    let transcriptions: any TranscriptionStore
    let exportBuilds: any ExportBuildStore
    let mails: any MailQueueStore
    /// Asked for linked exports only.
    let exports: any ExportStore
    let tenants: any TenantStore
    let objects: any ObjectStore
    let keys: DataKeys

    let probe: any MediaProbe
    let recognizer: any SpeechRecognizer
    let cleaner: any TranscriptCleaner
    let composer: any MailComposer
    let transport: any MailTransport
    let links: any LinkSigning
    /// Without a slash at its end.
    let publicURL: String

    let folders: JobFolders
    let limits: Limits

    /// - Parameter temporary: an empty folder (0700) that this process alone uses; jobs make their folders in it.
    package init(
        transcriptions: any TranscriptionStore, exportBuilds: any ExportBuildStore, mails: any MailQueueStore, exports: any ExportStore,
        tenants: any TenantStore, objects: any ObjectStore, keys: DataKeys, probe: any MediaProbe, recognizer: any SpeechRecognizer,
        cleaner: any TranscriptCleaner, composer: any MailComposer, transport: any MailTransport, links: any LinkSigning,
        publicURL: String, temporary: String, limits: Limits
    ) {
        self.transcriptions = transcriptions
        self.exportBuilds = exportBuilds
        self.mails = mails
        self.exports = exports
        self.tenants = tenants
        self.objects = objects
        self.keys = keys
        self.probe = probe
        self.recognizer = recognizer
        self.cleaner = cleaner
        self.composer = composer
        self.transport = transport
        self.links = links
        self.publicURL = publicURL
        folders = JobFolders(root: temporary)
        self.limits = limits
    }
}
