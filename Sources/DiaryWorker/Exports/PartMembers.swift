import DiaryCore
import DiaryCrypto
import ZipArchive

/// The members of a part as the archive reads them: ranges of the plan's file, and recordings from the object store.
///
/// Opening one passes `Failpoint.exportMidZip`: the kill point between two members of a zip (P31).
struct PartMembers: Sendable {
    let file: UnlinkedTempFile
    let objects: any ObjectStore
    let vault: Vault

    /// - Returns: the members, and those of their sources that may wait for the object store.
    func sources(of members: [PlannedMember]) -> (members: [ZipMember], waiting: [AsyncMemberSource]) {
        var waiting: [AsyncMemberSource] = []
        let found = members.map { member in
            switch member.content {
            case .text(let offset):
                let slice = TempFileSlice(file: file, offset: offset, length: member.length)
                return ZipMember(
                    path: member.path, modified: member.modified, method: .deflated, length: member.length, source: MidZipSource(slice))
            case .recording(let object):
                let source = recording(ObjectKey(kind: .audio, owner: vault.owner, object: object), member.length)
                waiting.append(source)
                return ZipMember(path: member.path, modified: member.modified, method: .stored, length: member.length, source: source)
            }
        }
        return (found, waiting)
    }

    private func recording(_ key: ObjectKey, _ size: Int64) -> AsyncMemberSource {
        AsyncMemberSource { [objects, vault] in
            try Failpoint.exportMidZip.hit()
            guard size > 0 else { return { nil } }
            let stream = try await objects.read(key, range: 0..<size, openedBy: vault.key)
            return { try await stream.next() }
        }
    }
}

private final class MidZipSource: ZipMemberSource {
    private let slice: TempFileSlice

    init(_ slice: TempFileSlice) { self.slice = slice }

    func open() throws {
        try Failpoint.exportMidZip.hit()
        try slice.open()
    }

    func read(max: Int) throws -> [UInt8] { try slice.read(max: max) }

    func close() { slice.close() }
}
