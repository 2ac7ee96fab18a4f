import DiaryCore
import FoundationEssentials
import SystemPackage
import Testing

@testable import DiaryMedia

/// Programs that were taken over are confined to the job's folder, but the service opens files there with its own view of the disk.
@Suite("Files that a program has planted in its job's folder", .timeLimit(.minutes(1)))
struct PlantedFileTests {
    let job: JobFolder
    let outside: JobFolder
    /// Of the service, longer than an empty recording.
    let secret = String(repeating: "secret ", count: 10_000)
    let secretPath: String

    enum Use: Sendable, CaseIterable { case decoding, rendering, cutting }

    init() throws {
        job = try JobFolder()
        outside = try JobFolder()
        secretPath = try outside.write(secret, "secret")
    }

    /// The programs are scripts, so there need be no recording.
    private func use(_ use: Use, _ sandbox: Sandbox) async throws(ProviderFailure) {
        let recording = job.verified("a.webm", seconds: 2, contentType: "audio/webm")
        switch use {
        case .decoding:
            guard let file = JobFile(recording.path, in: job.path) else {
                throw ProviderFailure(.permanent, code: .unexpected, cause: "no file")
            }
            _ = try await AudioDecoder(sandbox: sandbox, limits: RecordingLimits())
                .decode(file, contentType: recording.contentType, durationSeconds: 2)
        case .rendering:
            let facts = MediaFacts(durationSeconds: 2, codec: "opus", channels: 1, sampleRate: 48_000)
            _ = try await FFmpegRenderer(sandbox: sandbox)
                .render(recording.path, contentType: recording.contentType, facts: facts, folder: job.path)
        case .cutting:
            guard let file = JobFile(recording.path, in: job.path) else {
                throw ProviderFailure(.permanent, code: .unexpected, cause: "no file")
            }
            let sound = DecodedRecording(file: file, durationSeconds: 2)
            _ = try await RecordingCutter(sandbox: sandbox, sound: sound, file: file, total: 2).part(from: 0, to: 2, as: .opus)
        }
    }

    @Test("D4: looking for space after a failure opens no name in the folder, and leaves none", arguments: Use.allCases)
    func space(_ use: Use) async throws {
        let failure = await #expect(throws: ProviderFailure.self) {
            try await self.use(use, .taken(by: "echo; ln -s '\(secretPath)' space; exit 1"))
        }

        #expect(failure?.treatment == .permanent && failure?.code == .mediaUnreadable, "the disk is not full")
        #expect(try outside.read("secret") == Array(secret.utf8))
        #expect(job.names == ["space"])
    }

    @Test(
        "D4: a link, a second name, a pipe or a folder in the place of what a program writes is nothing that it wrote, and no call waits",
        arguments: ["ln -s \"$secret\"", "ln \"$secret\"", "mkfifo", "mkdir"])
    func results(_ plant: String) async throws {
        let script = "secret='\(secretPath)'; echo; head -c 32000 /dev/zero; \(plant) "

        for (use, name) in [(Use.decoding, "a.webm.16k.wav"), (.rendering, "a.webm.copy.m4a")] {
            let failure = await #expect(throws: ProviderFailure.self) { try await self.use(use, .taken(by: script + name)) }

            #expect(failure?.treatment == .permanent && failure?.code == .mediaUnreadable, "\(name)")
            #expect(job.names.contains(name))
        }
        #expect(try outside.read("secret") == Array(secret.utf8))
    }

    @Test("what a program has written is read up to a limit")
    func contents() throws {
        let file = try #require(JobFile(try job.write("voice", "a.ogg"), in: job.path))

        #expect(file.contents(atMost: 5) == Array("voice".utf8))
        #expect(file.contents(atMost: 4) == nil)
    }

    @Test("a folder that takes no file is full, also where files cannot be without a name")
    func full() throws {
        #expect(!JobSpace.isFull(job.path))
        #expect(JobSpace.isFull("\(job.path)/gone"))

        let file = try JobSpace.unlinked(in: job.path)
        #expect(try file.closeAfter { try file.writeAll([1, 2, 3]) } == 3)
        #expect(job.names.isEmpty)
    }
}
