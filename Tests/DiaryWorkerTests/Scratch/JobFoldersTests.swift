import DiaryCore
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryWorker

@Suite("Folders of jobs")
struct JobFoldersTests {
    @Test("a folder that cannot be made is this machine's fault: no try is counted, and the work does not begin")
    func unmade() async throws {
        let scratch = try Scratch()
        let folders = JobFolders(root: scratch.folders.root + "/gone")

        let stop = await #expect(throws: JobStop.self) {
            try await folders.withFolder(of: .make(.transcribe)) { _ async throws(JobStop) in Issue.record("it has no folder") }
        }

        #expect(stop?.outcome == .outage(.storageUnavailable))
    }

    @Test("nor is one counted for a recording whose file cannot be made")
    func unmadeFile() async throws {
        let scratch = try Scratch()
        let person = try await Person()
        let objects = MemoryObjects(sealedBy: person.vault.key).store
        let (key, folder) = (person.key(.audio, UUID()), scratch.folders.root + "/gone")

        let stop = await #expect(throws: JobStop.self) {
            _ = try await RecordingFile.open(key, ObjectFacts(size: 10), from: objects, with: person.vault.key, in: folder)
        }

        #expect(stop?.outcome == .outage(.storageUnavailable))
    }
}
