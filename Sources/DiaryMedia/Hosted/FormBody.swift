import BlockingCalls
import DiaryCrypto
import WireFormats

/// A `multipart/form-data` body (RFC 7578) with the bytes that the `openai` Python SDK sends: no media type for fields, the parts in their
/// order, a boundary of 32 hex digits.
struct FormBody: Sendable {
    enum Piece: Sendable, Equatable {
        case bytes([UInt8])
        case file(UntrustedFile)
    }

    let boundary: String
    let pieces: [Piece]

    /// - Returns: nil when a file cannot be read.
    init?(_ parts: [FormPart], boundary: String = Hex.encode(SecureRandom.bytes(16))) {
        self.boundary = boundary
        var pieces: [Piece] = []
        var text = ""
        for part in parts {
            text += "--\(boundary)\r\nContent-Disposition: form-data; "
            switch part {
            case .field(let name, let value): text += "name=\"\(name)\"\r\n\r\n\(value)\r\n"
            case .file(let name, let path, let fileName, let contentType):
                guard let file = UntrustedFile(path) else { return nil }
                text += "name=\"\(name)\"; filename=\"\(fileName)\"\r\nContent-Type: \(contentType)\r\n\r\n"
                pieces += [.bytes(Array(text.utf8)), .file(file)]
                text = "\r\n"
            }
        }
        pieces.append(.bytes(Array("\(text)--\(boundary)--\r\n".utf8)))
        self.pieces = pieces
    }

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    var length: Int {
        pieces.reduce(0) { sum, piece in
            switch piece {
            case .bytes(let bytes): sum + bytes.count
            case .file(let file): sum + file.size
            }
        }
    }
}
