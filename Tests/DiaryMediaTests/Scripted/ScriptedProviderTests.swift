#if DIARY_FAILPOINTS
    import DiaryCore
    import FoundationEssentials
    import Testing

    @testable import DiaryMedia

    @Suite("The scripted providers")
    struct ScriptedProviderTests {
        @Test("return the same for the same bytes, and something else for others")
        func deterministic() async throws {
            let job = try JobFolder()
            let path = try job.write("one", "a.m4a")
            try job.write("two", "b.m4a")
            let (first, second) = (job.verified("a.m4a", seconds: 1), job.verified("b.m4a", seconds: 1))
            let recognizer = ScriptedRecognizer()

            let heard = try await recognizer.transcribe(first, language: nil)
            let again = try await recognizer.transcribe(first, language: nil)
            let other = try await recognizer.transcribe(second, language: nil)
            let clean = try await ScriptedCleaner().clean(heard)
            let facts = try await ScriptedProbe().inspect(path, contentType: "audio/mp4", folder: job.path)

            #expect(heard == again)
            #expect(heard != other)
            #expect(heard.text.hasPrefix("um scripted words for "))
            #expect(clean.hasPrefix("Scripted words for "))
            #expect(facts.codec == "aac")
        }

        @Test("fail as often as the script says and log every call")
        func failures() async throws {
            let job = try JobFolder()
            try job.write("one", "a.m4a")
            let recording = job.verified("a.m4a", seconds: 1)
            let log = "\(job.path)/calls"
            try job.write(#"{"fail": "retry", "times": 2, "retry_after": 3, "delay_seconds": 0.01, "calls_log": "\#(log)"}"#, "speech.json")

            for _ in 1...2 {
                // A new recogniser for each call: the count is taken from the log.
                let failure = await #expect(throws: ProviderFailure.self) {
                    try await ScriptedRecognizer(scripts: job.path).transcribe(recording, language: nil)
                }
                #expect(failure == ProviderFailure(.retry, code: .speechUnavailable, retryAfter: 3, cause: "scripted"))
            }
            _ = try await ScriptedRecognizer(scripts: job.path).transcribe(recording, language: nil)

            #expect(try job.read("calls").count { $0 == 0x0A } == 3)
        }

        @Test("also control the probe and the cleaner")
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
#endif
