/// Every job, one for each kind of `JobCatalogue.diary`. A worker that lacks one does not start.
package enum DiaryJobs {
    package static func all(_ ports: WorkerPorts) -> [any Job] {
        [
            VerifyRecording(
                store: ports.transcriptions, objects: ports.objects, keys: ports.keys, probe: ports.probe, renderer: ports.renderer,
                folders: ports.folders, tenants: ports.tenants, limits: ports.limits),
            TranscribeRecording(
                store: ports.transcriptions, objects: ports.objects, keys: ports.keys, engines: ports.engines,
                gates: ports.gates, folders: ports.folders),
            CleanTranscript(
                store: ports.transcriptions, keys: ports.keys, engines: ports.engines, gates: ports.gates, tenants: ports.tenants,
                limits: ports.limits),
            BuildExport(
                store: ports.exportBuilds, objects: ports.objects, keys: ports.keys, folders: ports.folders, tenants: ports.tenants,
                limits: ports.limits, publicURL: ports.publicURL, logger: ports.logger),
            ImportZip(
                store: ports.imports, objects: ports.objects, keys: ports.keys, folders: ports.folders, tenants: ports.tenants,
                limits: ports.limits),
            SendMail(
                store: ports.mails, exports: ports.exports, tenants: ports.tenants, keys: ports.keys, serviceKeys: ports.serviceKeys,
                composer: ports.composer, routing: ports.routing, links: ports.links, publicURL: ports.publicURL, limits: ports.limits),
        ]
    }
}
