/// Uploads of recordings: signed URLs, the PUT, and its completion; and a file in one request.
package struct UploadFeature: Sendable {
    package let reissue: ReissueUpload
    package let receive: ReceiveUpload
    package let complete: CompleteUpload
    package let receiveFile: ReceiveFile
    package let openParts: OpenParts
    package let listParts: ListParts
    package let abortParts: AbortParts

    init(_ ports: FeaturePorts) {
        let (entries, keys) = (ports.entries, ports.memberKeys)
        reissue = ReissueUpload(
            entries: entries, keys: keys, uploads: ports.uploads, tenants: ports.tenants, limits: ports.limits, clock: ports.clock)
        receive = ReceiveUpload(
            verifier: ports.uploadVerifier, entries: entries, imports: ports.imports, objects: ports.objects, keys: keys,
            clock: ports.clock,
            parts: ReceivePart(
                uploads: ports.partUploads, imports: ports.imports, receiver: ports.partReceiver, parts: ports.parts, keys: keys))
        let complete = CompleteUpload(
            entries: entries, objects: ports.objects, uploads: ports.partUploads, parts: ports.parts, keys: keys,
            jobSignals: ports.jobSignals)
        self.complete = complete
        receiveFile = ReceiveFile(
            create: ports.createEntry, complete: complete, objects: ports.objects, parts: ports.parts, places: UploadPlaces())
        openParts = OpenParts(reissue: reissue, uploads: ports.partUploads, offers: ports.partOffers)
        listParts = ListParts(entries: entries, uploads: ports.partUploads, offers: ports.partOffers)
        abortParts = AbortParts(entries: entries, uploads: ports.partUploads, parts: ports.parts)
    }
}

extension DiaryFeatures {
    package var uploads: UploadFeature { UploadFeature(ports) }
}
