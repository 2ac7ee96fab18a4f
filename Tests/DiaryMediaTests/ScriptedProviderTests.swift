import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryMedia

@Suite("The scripted providers")
struct ScriptedProviderTests {
    @Test("answer the same for the same bytes, and something else for others")
    func deterministic() async throws {
        let job = try JobFolder()
        let first = try job.write("one", "a.m4a")
        let second = try job.write("two", "b.m4a")
        let recognizer = ScriptedRecognizer()

        let heard = try await recognizer.transcribe(first, contentType: "audio/mp4", language: nil, folder: job.path)
        let again = try await recognizer.transcribe(first, contentType: "audio/mp4", language: nil, folder: job.path)
        let other = try await recognizer.transcribe(second, contentType: "audio/mp4", language: nil, folder: job.path)
        let clean = try await ScriptedCleaner().clean(heard)
        let facts = try await ScriptedProbe().inspect(first, contentType: "audio/mp4", folder: job.path)

        #expect(heard == again)
        #expect(heard != other)
        #expect(heard.text.hasPrefix("um scripted words for "))
        #expect(clean.hasPrefix("Scripted words for "))
        #expect(facts.codec == "aac")
    }

    @Test("fail as often as the script says and log every call")
    func failures() async throws {
        let job = try JobFolder()
        let path = try job.write("one", "a.m4a")
        let log = "\(job.path)/calls"
        try job.write(#"{"fail": "retry", "times": 2, "retry_after": 3, "delay_seconds": 0.01, "calls_log": "\#(log)"}"#, "speech.json")

        for _ in 1...2 {
            // A new one each time: the count is the log's.
            let failure = await #expect(throws: ProviderFailure.self) {
                try await ScriptedRecognizer(scripts: job.path).transcribe(path, contentType: "audio/mp4", language: nil, folder: job.path)
            }
            #expect(failure == ProviderFailure(.retry, code: .speechUnavailable, retryAfter: 3, cause: "scripted"))
        }
        _ = try await ScriptedRecognizer(scripts: job.path).transcribe(path, contentType: "audio/mp4", language: nil, folder: job.path)

        #expect(try job.read("calls").count { $0 == 0x0A } == 3)
    }

    @Test("steer the probe and the cleaner, too")
    func others() async throws {
        let job = try JobFolder()
        let path = try job.write("one", "a.m4a")
        try job.write(#"{"fail": "permanent"}"#, "probe.json")
        try job.write(#"{"fail": "configuration"}"#, "clean.json")

        let probe = await #expect(throws: ProviderFailure.self) {
            try await ScriptedProbe(scripts: job.path).inspect(path, contentType: "audio/mp4", folder: job.path)
        }
        let cleaner = await #expect(throws: ProviderFailure.self) {
            try await ScriptedCleaner(scripts: job.path).clean(RawTranscript(language: "en", segments: []))
        }

        #expect(probe?.treatment == .permanent)
        #expect(cleaner?.treatment == .configuration)
    }
}
