import DiaryCore
import DiaryObjectStore
import Synchronization

final class MemoryReader: ByteReader {
    let objectSize: Int64
    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: ArraySlice<UInt8>, objectSize: Int64) {
        rest = Mutex(bytes)
        self.objectSize = objectSize
    }

    func next(
        _ count: Int, through transform: @escaping @Sendable ([UInt8]) throws(ObjectStoreError) -> [UInt8]
    ) async throws(ObjectStoreError) -> [UInt8]? {
        let piece = rest.withLock { rest in
            let piece = rest.prefix(max(0, count))
            rest = rest.dropFirst(piece.count)
            return piece
        }
        return piece.isEmpty ? nil : try transform(Array(piece))
    }

    func close() { rest.withLock { $0 = [] } }
}
