import DiaryCrypto
import HTTPTypes
import NIOCore

/// A text that ships beside the program and is answered whole. A buffer, whose bytes all answers share.
struct ServedFile: Sendable {
    let bytes: ByteBuffer
    let tag: String

    init(_ text: String) {
        bytes = ByteBuffer(string: text)
        tag = ContentTag.text(SHA256.digest(Array(text.utf8)))
    }

    func reply(_ type: String, to exchange: Exchange) -> Reply {
        Reply(.ok, body: .bytes(bytes)).with(.contentType, type).with(.cacheControl, "public, max-age=300").with(.eTag, tag)
            .unlessKept(by: exchange)
    }
}
