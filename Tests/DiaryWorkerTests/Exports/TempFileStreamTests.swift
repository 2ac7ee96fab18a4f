import DiaryCore
import DiaryObjectStore
import DiaryTesting
import Foundation
import Testing
import ZipArchive

@testable import DiaryWorker

@Suite("A finished zip as a body")
struct TempFileStreamTests {
    private let objects = MemoryObjects()
    private let key = ObjectKey(kind: .export, owner: .someone, object: UUID())

    private func put(_ file: UnlinkedTempFile, length: Int64) async throws {
        _ = try await objects.store.put(key, from: TempFileStream(file), length: length, sha256: nil, sealedBy: objects.dataKey)
    }

    @Test("a local file is sealed whole; another length is refused")
    func whole() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try UnlinkedTempFile(folder: FileManager.default.temporaryDirectory.path)
        _ = try file.append(bytes)

        await #expect(throws: ObjectStoreError.lengthMismatch) { try await put(file, length: 199_999) }
        await #expect(throws: ObjectStoreError.lengthMismatch) { try await put(file, length: 200_001) }
        #expect(objects.keys.isEmpty)
        try await put(file, length: 200_000)

        #expect(objects[key] == bytes)
    }

    @Test("a file that cannot be read is a store that is unavailable")
    func unreadable() async throws {
        let file = try UnlinkedTempFile(folder: FileManager.default.temporaryDirectory.path)
        let folder = open("/", O_RDONLY | O_DIRECTORY)
        // In the file's place: a folder has a size and cannot be read.
        dup2(folder, file.descriptor)
        close(folder)

        await #expect(throws: ObjectStoreError.unavailable(full: false)) { try await put(file, length: 1) }
        #expect(objects.keys.isEmpty)
    }
}
