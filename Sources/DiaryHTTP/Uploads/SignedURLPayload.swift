import DiaryCore
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
}
