import BlockingCalls
import Synchronization

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
