import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Synchronization
import ZipArchive

/// The sources of a zip's members: ranges of the plan's file, and recordings in the object store. They are read one after the other, in the
/// order of the plan. The next recordings are opened meanwhile, because opening a small one takes longer than reading it.
final class PartMembers: Sendable {
    private struct Recording {
        var object: UUID
        var size: Int64
    }

    private struct State {
        /// In order.
        var recordings: [Recording] = []
        /// Reading, by their places in the order.
        var started: [Int: AsyncMemberSource] = [:]
        var isEnded = false
    }

    /// Recordings that are read at once.
    private static let ahead = 4

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
        let (method, content): (ZipMember.Method, PartMember.Content)
        switch planned.content {
        case .text(let offset, let packed, let crc32):
            (method, content) = (.packed(size: packed, crc32: crc32), .text(offset: offset, length: packed))
        case .recording(let object):
            let place = state.withLock { state in
                state.recordings.append(Recording(object: object, size: planned.length))
                return state.recordings.count - 1
            }
            (method, content) = (.stored, .recording(place))
        }
        return ZipMember(
            path: planned.path, modified: planned.modified, method: method, length: planned.length,
            source: PartMember(content, of: self))
    }

    /// Ends reads that wait for the object store, which would block the archive's thread. Called at the end in any case.
    func end() {
        let started = state.withLock { state in
            state.isEnded = true
            defer { state.started = [:] }
            return state.started.values
        }
        for source in started {
            source.cancel()
            source.close()
        }
    }

    fileprivate func text(offset: Int64, length: Int64) -> any ZipMemberSource { TempFileSlice(file: file, offset: offset, length: length) }

    /// Starts this recording and the next ones.
    fileprivate func recording(_ place: Int) throws -> any ZipMemberSource {
        let new: [(place: Int, recording: Recording)]? = state.withLock { state in
            guard !state.isEnded else { return nil }
            return (place..<min(place + Self.ahead, state.recordings.count)).filter { state.started[$0] == nil }.map {
                ($0, state.recordings[$0])
            }
        }
        guard let new else { throw CancellationError() }
        for (place, recording) in new {
            let source = source(recording)
            try source.open()
            let isEnded = state.withLock { state in
                if !state.isEnded { state.started[place] = source }
                return state.isEnded
            }
            guard !isEnded else {
                source.close()
                throw CancellationError()
            }
        }
        guard let source = state.withLock({ $0.started[place] }) else { throw CancellationError() }
        return source
    }

    fileprivate func close(_ place: Int) { state.withLock { $0.started.removeValue(forKey: place) }?.close() }

    private func source(_ recording: Recording) -> AsyncMemberSource {
        let key = ObjectKey(kind: .audio, owner: vault.owner, object: recording.object)
        return AsyncMemberSource(prefetch: 8) { [objects, vault] in
            guard recording.size > 0 else { return { nil } }
            let stream = try await objects.read(key, range: 0..<recording.size, openedBy: vault.key)
            return { try await stream.next() }
        }
    }
}

/// A member's source, which is made when the archive reaches it.
///
/// Opening it passes `Failpoint.exportMidZip`: the kill point between two members of a zip (P31).
private final class PartMember: ZipMemberSource {
    enum Content {
        case text(offset: Int64, length: Int64)
        /// Its place among the recordings.
        case recording(Int)
    }

    private let content: Content
    private let members: PartMembers
    private let source = Mutex<(any ZipMemberSource)?>(nil)

    init(_ content: Content, of members: PartMembers) {
        self.content = content
        self.members = members
    }

    func open() throws {
        try Failpoint.exportMidZip.hit()
        let opened: any ZipMemberSource
        switch content {
        case .text(let offset, let length):
            opened = members.text(offset: offset, length: length)
            try opened.open()
        case .recording(let place): opened = try members.recording(place)
        }
        source.withLock { $0 = opened }
    }

    func read(max: Int) throws -> [UInt8] { try source.withLock { $0 }?.read(max: max) ?? [] }

    func close() {
        source.withLock { $0 = nil }
        if case .recording(let place) = content { members.close(place) }
    }
}
