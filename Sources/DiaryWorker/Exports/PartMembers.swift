import DiaryCore
import DiaryCrypto
import Synchronization
import ZipArchive

/// Where the members of a zip come from: ranges of the plan's file, and recordings in the object store. One is read at a time.
final class PartMembers: Sendable {
    private struct State {
        var waiting: AsyncMemberSource?
        var isCancelled = false
    }

    private let file: UnlinkedTempFile
    private let objects: any ObjectStore
    private let vault: Vault
    private let state = Mutex(State())

    init(file: UnlinkedTempFile, objects: any ObjectStore, vault: Vault) {
        self.file = file
        self.objects = objects
        self.vault = vault
    }

    func member(_ planned: PlannedMember) -> ZipMember {
        let method: ZipMember.Method =
            switch planned.content {
            case .text(_, let packed, let crc32): .packed(size: packed, crc32: crc32)
            case .recording: .stored
            }
        return ZipMember(
            path: planned.path, modified: planned.modified, method: method, length: planned.length,
            source: PartMember(planned.content, planned.size, of: self))
    }

    /// Ends a read that waits for the object store, which would block the archive's thread.
    func cancel() {
        let waiting = state.withLock { state in
            state.isCancelled = true
            return state.waiting
        }
        waiting?.cancel()
    }

    fileprivate func open(_ content: PlannedMember.Content, _ size: Int64) -> any ZipMemberSource {
        switch content {
        case .text(let offset, _, _): return TempFileSlice(file: file, offset: offset, length: size)
        case .recording(let object):
            let key = ObjectKey(kind: .audio, owner: vault.owner, object: object)
            let source = AsyncMemberSource(prefetch: 8) { [objects, vault] in
                guard size > 0 else { return { nil } }
                let stream = try await objects.read(key, range: 0..<size, openedBy: vault.key)
                return { try await stream.next() }
            }
            let isCancelled = state.withLock { state in
                state.waiting = source
                return state.isCancelled
            }
            if isCancelled { source.cancel() }
            return source
        }
    }
}

/// A member's source, which is made when the archive reaches it.
///
/// Opening it passes `Failpoint.exportMidZip`: the kill point between two members of a zip (P31).
private final class PartMember: ZipMemberSource {
    private let content: PlannedMember.Content
    private let size: Int64
    private let members: PartMembers
    private let source = Mutex<(any ZipMemberSource)?>(nil)

    init(_ content: PlannedMember.Content, _ size: Int64, of members: PartMembers) {
        self.content = content
        self.size = size
        self.members = members
    }

    func open() throws {
        try Failpoint.exportMidZip.hit()
        let opened = members.open(content, size)
        try opened.open()
        source.withLock { $0 = opened }
    }

    func read(max: Int) throws -> [UInt8] { try source.withLock { $0 }?.read(max: max) ?? [] }

    func close() {
        let opened = source.withLock { source in
            defer { source = nil }
            return source
        }
        opened?.close()
    }
}
