package import DiaryCore
package import FoundationEssentials
import S3Client

/// Signs PUT URLs of the bucket itself: recordings go from the client to the service and not through the API.
package struct S3UploadSigner: UploadSigner {
    let store: S3ByteStore

    package init(store: S3ByteStore) { self.store = store }

    package func sign(
        _ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double
    ) -> UploadTarget {
        let terms = S3UploadTerms(
            contentType: contentType, length: length, sha256: store.signsChecksums ? sha256 : nil, ifAbsent: store.guardsOverwrites)
        let signed = store.client.presignedPut(store.names[key], terms, at: now, lifetime: lifetime)
        return UploadTarget(url: signed.url, headers: signed.headers, expiresAt: signed.expiresAt)
    }
}
