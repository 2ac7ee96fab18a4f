/// Uploads of recordings: signed URLs, the PUT, and its completion.
package struct UploadFeature: Sendable {
    package let reissue: ReissueUpload
    package let receive: ReceiveUpload
    package let complete: CompleteUpload

    init(_ ports: FeaturePorts) {
        let (entries, keys) = (ports.entries, ports.memberKeys)
        reissue = ReissueUpload(entries: entries, uploads: ports.uploads, clock: ports.clock)
        receive = ReceiveUpload(
            verifier: ports.uploadVerifier, entries: entries, objects: ports.objects, keys: keys, clock: ports.clock)
        complete = CompleteUpload(entries: entries, objects: ports.objects, keys: keys, jobSignals: ports.jobSignals)
    }
}

extension DiaryFeatures {
    package var uploads: UploadFeature { UploadFeature(ports) }
}
