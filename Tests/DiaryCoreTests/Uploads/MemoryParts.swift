import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Synchronization

@testable import DiaryCore

/// The sizes of parts, and a log of what is done with them.
final class MemoryParts: UploadParts {
    private struct State {
        var sizes: [Int: Int64]
        var failure: ObjectStoreError?
        var log: [String] = []
    }

    let isBegun: Bool
    private let isEnded: Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - sizes: by number; nil: no set is open.
    ///   - isEnded: the store has no set any more.
    init(_ sizes: [Int: Int64]? = nil, isEnded: Bool = false) {
        isBegun = sizes != nil
        self.isEnded = isEnded
        state = Mutex(State(sizes: sizes ?? [:]))
    }

    var log: [String] { state.withLock { $0.log } }
    func fail(_ failure: ObjectStoreError?) { state.withLock { $0.failure = failure } }

    private func note(_ line: String) throws(ObjectStoreError) {
        let failure = state.withLock { state in
            state.log.append(line)
            return state.failure
        }
        if let failure { throw failure }
    }

    var smallestPart: Int64 { 4 }
    func begin(_ key: ObjectKey, contentType: String) async throws(ObjectStoreError) -> String {
        try note("begin")
        return "set \(log.count)"
    }
    func put(_ part: PartKey, _ bytes: [UInt8], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {
        try note("put \(part.number)")
        state.withLock { $0.sizes[part.number] = Int64(bytes.count) }
    }
    func arrived(_ upload: PartUpload) async throws(ObjectStoreError) -> [ArrivedPart] {
        if isEnded { throw .missing }
        return state.withLock { $0.sizes.sorted { $0.key < $1.key }.map { ArrivedPart(number: $0.key, size: $0.value) } }
    }
    func join(_ upload: PartUpload, of parts: [ArrivedPart], sealedBy dataKey: DataKey) async throws(ObjectStoreError) { try note("join") }
    func discard(_ key: ObjectKey, id: String?) async throws(ObjectStoreError) { try note("discard") }
    func list(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads {
        StoredPartUploads(uploads: [], next: nil)
    }
}

/// One entry of ten bytes that is sent in parts of four.
struct OnePartUpload: PartUploadStore {
    var state: PartUploadState

    init(_ key: ObjectKey, isOpen: Bool) {
        state = PartUploadState(
            isOpen: true, key: key, contentType: "audio/mp4", size: 10, id: isOpen ? "set" : nil, partSize: isOpen ? 4 : nil)
    }

    func partUpload(of id: EntryID, by member: Member) async throws(DiaryError) -> PartUploadState? { state }
    func openPartUpload(_ opening: PartUploadOpening, of id: EntryID, by member: Member) async throws(DiaryError) -> PartUploadState? {
        PartUploadState(
            isOpen: true, key: state.key, contentType: state.contentType, size: state.size, id: opening.id, partSize: opening.partSize)
    }
    func closePartUpload(_ upload: String, of id: EntryID, by member: Member) async throws(DiaryError) -> Bool { upload == state.id }
    func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState { .awaiting }
}
