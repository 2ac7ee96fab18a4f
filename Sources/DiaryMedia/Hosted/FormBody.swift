import BlockingCalls
import DiaryCrypto
import Synchronization
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

/// One part of a `multipart/form-data` body. Names are the code's own: ASCII without quotes and line ends.
package enum FormPart: Sendable, Equatable {
    case field(_ name: String, _ value: String)
    /// A file on disk, read while it is sent.
    /// - path: a regular file that does not change meanwhile.
    case file(_ name: String, path: String, fileName: String, contentType: String)
}

/// Yields a form's bytes from its start to its end, once; a file chunk by chunk.
final class FormReader: Sendable {
    /// A file cannot be read, or is not as long as it was when the form was made.
    struct Changed: Error {}

    static let chunk = 256 * 1024

    private struct State {
        var pieces: ArraySlice<FormBody.Piece>
        /// Of the piece that comes first.
        var offset = 0
    }

    private let state: Mutex<State>

    init(_ body: FormBody) { state = Mutex(State(pieces: body.pieces[...])) }

    /// nil at the end.
    func next() throws -> [UInt8]? {
        try state.withLock { state in
            while let piece = state.pieces.first {
                switch piece {
                case .bytes(let bytes):
                    state.pieces.removeFirst()
                    if !bytes.isEmpty { return bytes }
                case .file(let file):
                    guard state.offset < file.size else {
                        state.pieces.removeFirst()
                        state.offset = 0
                        continue
                    }
                    let count = min(Self.chunk, file.size - state.offset)
                    guard let chunk = file.read(at: state.offset, count: count), !chunk.isEmpty else { throw Changed() }
                    state.offset += chunk.count
                    return chunk
                }
            }
            return nil
        }
    }
}
