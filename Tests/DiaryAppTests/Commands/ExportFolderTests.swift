import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import Testing
import WireFormats

@testable import DiaryApp
@testable import DiaryObjectStore

@Suite("The folder of an app's export")
final class ExportFolderTests {
    private let root = "/tmp/diary-export-\(UUID().uuidString)"
    private let key = ObjectKey(kind: .audio, tenant: TenantID(UUID()), user: UserID(UUID()), object: UUID())

    deinit { try? FileManager.default.removeItem(atPath: root) }

    @Test("an object that is begun anew is the last try's alone, and the manifest has its bytes, its digest and what is missing")
    func objects() throws {
        let folder = try ExportFolder(root)
        var other = SHA256Stream()
        other.update([1, 2, 3, 4])
        let digest = Hex.encode(other.finish())
        try folder.beginRows("main/users.ndjson")
        try folder.append(["{}", "{}"])
        try folder.end()
        let lost = ObjectKey(kind: .export, tenant: key.tenant, user: key.user, object: UUID())

        try folder.begin(key)
        try folder.write([9, 9])
        try folder.discard()
        #expect(!folder.has(key))
        try folder.begin(key)
        try folder.write([1, 2])
        try folder.write([3, 4])
        try folder.end()
        #expect(folder.note(ObjectGap(kind: .missing, key: lost)).path == "objects/\(lost)")
        let manifest = try folder.finish(Stub.tenant("my-day"), waiting: 2)

        #expect(folder.has(key) && !folder.has(lost) && folder.fileCount == 2 && folder.gapCount == 1)
        #expect(FileManager.default.contents(atPath: "\(root)/objects/\(key)") == Data([1, 2, 3, 4]))
        #expect(manifest.files.map(\.path) == ["main/users.ndjson", "objects/\(key)"] && manifest.files.map(\.rows) == [2, nil])
        #expect(manifest.files.last?.sha256 == digest && manifest.files.map(\.bytes) == [6, 4])
        #expect(manifest.gaps.map(\.gap) == ["missing_object"] && manifest.waiting == 2)
    }

    @Test("a folder that is there already is not written to")
    func taken() throws {
        _ = try ExportFolder(root)
        #expect(throws: CommandFailure("--to: \(root) is there already")) { _ = try ExportFolder(root) }
    }
}
