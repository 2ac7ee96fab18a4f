import DiaryCore
import FoundationEssentials
import WireFormats

/// A signed URL on the wire, for a file to be sent or to be read: method, URL, headers and end.
enum SignedURLPayload {
    static func write(_ target: UploadTarget, to w: inout JSONWriter) {
        w.member("method", "PUT")
        w.member("url", target.url)
        w.member("headers") { w in
            for header in target.headers { w.member(JSONName(header.name), header.value) }
        }
        w.member("expires_at", target.expiresAt)
        if let parts = target.parts { w.member("parts") { PartsPayload.write(parts, to: &$0) } }
    }

    /// Of a file that is read; the URL alone is enough.
    static func write(
        reading url: String, until end: Date, filename: String, contentType: String, sizeBytes: Int64, to w: inout JSONWriter
    ) {
        w.member("method", "GET")
        w.member("url", url)
        w.member("headers") { _ in }
        w.member("expires_at", end)
        w.member("filename", filename)
        w.member("content_type", contentType)
        w.member("size_bytes", sizeBytes)
    }
}
