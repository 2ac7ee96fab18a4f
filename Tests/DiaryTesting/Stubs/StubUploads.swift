package import FoundationEssentials

@testable package import DiaryCore

/// Signs upload addresses with a constant.
package struct StubUploads: UploadSigner, UploadVerifying {
    package init() {}

    package func sign(
        _ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double
    ) -> UploadTarget {
        UploadTarget(
            url: "https://diary.example/objects/\(key)?X-Amz-Signature=0", headers: [("Content-Type", contentType)],
            expiresAt: now + lifetime)
    }
    /// Any query passes; the grant is what the path and the headers say.
    package func verify(
        method: String, path: String, query: String, headers: [(name: String, value: String)], at now: Date
    ) throws(DiaryError) -> UploadGrant {
        guard query == "X-Amz-Signature=0", let key = ObjectKey(path: path.dropFirst("/objects/".count)),
            let length = headers.first(where: { $0.name.lowercased() == "content-length" }).flatMap({ Int64($0.value) })
        else { throw DiaryError(.uploadRefused) }
        return UploadGrant(key: key, contentType: "audio/mp4", length: length, sha256: nil)
    }
}
