import DiaryCore
import Testing
import WireFormats

@testable import DiaryMedia

@Suite("Answers of /audio/transcriptions")
struct TranscriptionReplyTests {
    private func read(_ json: String, seconds: Double = 10) throws -> HeardSpeech? {
        TranscriptionReply.read(try #require(LenientJSON.value(Array(json.utf8))), seconds: seconds)
    }

    @Test("OpenAI's verbose_json: text with its punctuation, times of the words, confidence of the segment")
    func verbose() throws {
        let heard = try #require(
            try read(
                """
                {"task": "transcribe", "language": "german", "duration": 4.0, "text": "Hallo, Zürich. Wie geht's?", "segments": [
                 {"id": 0, "seek": 0, "start": 0.0, "end": 2.0, "text": " Hallo, Zürich.", "tokens": [1], "temperature": 0.0,
                  "avg_logprob": -0.2, "compression_ratio": 1.2, "no_speech_prob": 0.01},
                 {"id": 1, "seek": 0, "start": 2.0, "end": 4.0, "text": " Wie geht's?", "tokens": [2], "temperature": 0.0,
                  "avg_logprob": -0.5, "compression_ratio": 1.2, "no_speech_prob": 0.01}],
                 "words": [{"word": "Hallo", "start": 0.1, "end": 0.6}, {"word": "Zürich", "start": 0.7, "end": 1.5},
                           {"word": "Wie", "start": 2.1, "end": 2.4}, {"word": "geht's", "start": 2.5, "end": 3.9}],
                 "usage": {"type": "duration", "seconds": 4}}
                """))

        let segments = heard.speechSegments(duration: 10)

        #expect(heard.language == "de")
        #expect(heard.use == EngineUse(audioSeconds: 4))
        #expect(segments.map(\.text) == ["Hallo, Zürich.", "Wie geht's?"])
        #expect(segments.map(\.start) == [0, 2] && segments.map(\.end) == [2, 4])
        #expect(segments[0].words.map(\.start) == [0.1, 0.7] && segments[0].words.map(\.end) == [0.6, 1.5])
        #expect(segments[1].words.map(\.start) == [2.1, 2.5])
        #expect(abs((segments[0].confidence ?? 0) - 0.8187) < 0.001)
        #expect(segments[0].words.allSatisfy { abs($0.confidence - 0.8187) < 0.001 })
        #expect(abs((heard.meanLogprob ?? 0) + 0.35) < 0.001, "by words: two and two")
    }

    @Test("other servers: a code for the language, words inside segments with a probability, no usage")
    func otherServers() throws {
        let heard = try #require(
            try read(
                """
                {"language": "en", "text": "One two", "segments": [{"start": 1, "end": 3, "text": "One two", "avg_logprob": null,
                 "words": [{"word": " One", "start": 1, "end": 1.5, "probability": 0.9}, {"word": " two", "start": 2, "end": 3, "probability": 0.3}]}]}
                """, seconds: 7))

        let segment = try #require(heard.speechSegments(duration: 7).first)

        #expect(heard.language == "en")
        #expect(heard.use.audioSeconds == 7)
        #expect(segment.words.map(\.confidence) == [0.9, 0.3])
        #expect(abs((segment.confidence ?? 0) - 0.6) < 0.001)
    }

    @Test("no more text than a recording of its length can hold, in all segments together: 20,000 code points and 100 a second")
    func unspeakable() {
        func isSpeakable(_ lengths: [Int], _ seconds: Double) -> Bool {
            let segments = lengths.map { HeardSegment(text: String(repeating: "x", count: $0)) }
            return HeardSpeech(segments: segments, use: EngineUse()).isSpeakable(in: seconds)
        }
        #expect(isSpeakable([], 0) && isSpeakable([20_200], 2) && isSpeakable([10_100, 10_100], 2) && isSpeakable([380_000], 3_600))
        #expect(!isSpeakable([20_201], 2) && !isSpeakable([10_100, 10_101], 2) && !isSpeakable([380_001], 3_600))
        let accents = HeardSegment(text: "e" + String(repeating: "\u{301}", count: 30_000))
        #expect(!HeardSpeech(segments: [accents], use: EngineUse()).isSpeakable(in: 2), "one character may have thousands")
    }

    @Test("a speaker's label has at most 40 code points, in however few characters")
    func longLabel() {
        let accents = "e" + String(repeating: "\u{301}", count: 99)
        #expect(TranscriptionReply.speaker(accents)?.unicodeScalars.count == 40)
        #expect(TranscriptionReply.speaker("A") == "A" && TranscriptionReply.speaker("") == nil)
    }

    @Test("diarized_json: speakers, which may talk at the same time")
    func diarized() throws {
        let heard = try #require(
            try read(
                """
                {"task": "transcribe", "duration": 6, "text": "a b c", "segments": [
                 {"type": "transcript.text.segment", "id": "seg_1", "start": 0, "end": 3, "text": "one two", "speaker": "A"},
                 {"type": "transcript.text.segment", "id": "seg_2", "start": 2, "end": 5, "text": "three", "speaker": "B"},
                 {"type": "transcript.text.segment", "id": "seg_3", "start": 4, "end": 6, "text": "four", "speaker": "B"}]}
                """))

        let segments = heard.speechSegments(duration: 6)

        #expect(segments.map(\.speaker) == ["A", "B", "B"])
        #expect(segments.map(\.start) == [0, 2, 5], "a voice does not overlap with itself")
        #expect(segments.map(\.confidence) == [nil, nil, nil])
        #expect(segments.flatMap(\.words).allSatisfy { $0.confidence == 1 })
        #expect(segments[0].words.map(\.start) == [0, 1.5], "the segment's time by letters: three and three")
        #expect(heard.language == nil)
    }

    @Test("json: one segment over the whole recording, with the mean of the tokens")
    func json() throws {
        let heard = try #require(
            try read(
                """
                {"text": "Ein Satz.", "logprobs": [{"token": "Ein", "logprob": -0.1, "bytes": [1]}, {"token": " Satz.", "logprob": -0.3}],
                 "languages": [{"code": "de"}], "usage": {"type": "tokens", "input_tokens": 14, "output_tokens": 101, "total_tokens": 115}}
                """, seconds: 8))

        let segments = heard.speechSegments(duration: 8)

        #expect(segments.count == 1)
        #expect(segments[0].start == 0 && segments[0].end == 8 && segments[0].text == "Ein Satz.")
        #expect(abs((segments[0].confidence ?? 0) - 0.8187) < 0.001)
        #expect(heard.language == "de")
        #expect(heard.use == EngineUse(audioSeconds: 8, inputTokens: 14, outputTokens: 101))
    }

    @Test("silence is no segment: by Whisper's thresholds, or without a word")
    func silence() throws {
        let heard = try #require(
            try read(
                """
                {"text": "Thank you. Real.", "segments": [
                 {"start": 0, "end": 1, "text": " Thank you.", "avg_logprob": -1.4, "no_speech_prob": 0.9},
                 {"start": 1, "end": 2, "text": " Real.", "avg_logprob": -0.3, "no_speech_prob": 0.9},
                 {"start": 2, "end": 3, "text": " Unsure.", "avg_logprob": -1.4, "no_speech_prob": 0.1},
                 {"start": 3, "end": 4, "text": "  ", "avg_logprob": -0.1, "no_speech_prob": 0.1}]}
                """))
        #expect(heard.withoutSilence().segments.map(\.text) == [" Real.", " Unsure."])
        let empty = try #require(try read(#"{"text": "", "language": "english", "segments": []}"#))
        #expect(empty.withoutSilence().segments.isEmpty, "an empty text is no failure")
    }

    @Test("a script without spaces stays as it is written")
    func withoutSpaces() throws {
        let heard = try #require(
            try read(
                """
                {"language": "chinese", "text": "今天天气很好。", "segments": [{"start": 0, "end": 3, "text": "今天天气很好。", "avg_logprob": -0.2}],
                 "words": [{"word": "今天", "start": 0.2, "end": 1}, {"word": "天气", "start": 1, "end": 2}, {"word": "很好", "start": 2, "end": 2.9}]}
                """))
        let segment = try #require(heard.speechSegments(duration: 3).first)
        #expect(segment.text == "今天天气很好。")
        #expect(segment.words.first?.start == 0.2 && segment.words.last?.end == 2.9)
    }

    @Test(
        "what is not a transcription is refused",
        arguments: [
            "{}", "[]", "7", "null", "<html>", #"{"data": []}"#, #"{"text": 3}"#, #"{"text": null}"#, #"{"text": [1]}"#,
            #"{"segments": 1}"#, #"[{"a": 1}, {"b": 2}]"#, #"{"error": "No."}"#,
        ])
    func refused(json: String) throws {
        #expect(try read(json) == nil)
    }

    @Test(
        "the words count wherever they are, and once",
        arguments: [
            (#"{"text": "a", "segments": [1]}"#, ["a"]), (#"{"text": "a", "segments": null, "words": 7, "usage": []}"#, ["a"]),
            (#""a b""#, ["a b"]), (#"{"transcription": "a b"}"#, ["a b"]), (#"{"text": ["a", "b"]}"#, ["a b"]),
            (#"{"results": {"channels": [{"alternatives": [{"transcript": "a b"}]}]}}"#, ["a b"]),
            (#"{"chunks": [{"text": "a", "timestamp": [0, 1]}, {"text": "b", "timestamp": [1, null]}]}"#, ["a", "b"]),
            (#"[{"text": "a", "start": 0, "end": 1}, {"text": "b", "start": 1, "end": 2}]"#, ["a", "b"]),
            (#"{"text": "", "segments": [{"text": "a"}, "b", 3]}"#, ["a", "b"]),
            (#"{"words": [{"word": "a", "start": 0, "end": 1}, {"word": "b", "start": 1, "end": 2}]}"#, ["a b"]),
            (#"{"text": "One two. Three four.", "segments": [{"text": "One two.", "start": 0, "end": 1}]}"#, ["One two.", "Three four."]),
            (#"{"text": "One two. Three.", "segments": [{"text": "Three.", "start": 2, "end": 3}]}"#, ["One two.", "Three."]),
            (#"{"text": "One, two; three!", "segments": [{"text": "one two three"}]}"#, ["one two three"]),
        ] as [(String, [String])])
    func shapes(json: String, texts: [String]) throws {
        let heard = try #require(try read(json)).withoutSilence()
        #expect(heard.segments.map { $0.tokens.joined(separator: " ") } == texts)
        #expect(heard.use == EngineUse(audioSeconds: 10))
    }

    @Test("times that cannot be are put inside the recording and in order")
    func impossibleTimes() throws {
        let times = ["-5", "1e300", "9.5", "3", "null", "\"x\"", "0"]
        var count = 0
        for a in times {
            for b in times {
                for c in times {
                    let heard = try #require(
                        try read(
                            """
                            {"text": "a", "segments": [{"start": \(a), "end": \(b), "text": "eins zwei — drei"}, {"start": \(b), "end": \(c), "text": "vier"}],
                             "words": [{"word": "eins", "start": \(c), "end": \(a)}, {"word": "zwei", "start": \(a), "end": \(b)},
                                       {"word": "drei", "start": 1, "end": \(b)}]}
                            """))
                    let segments = heard.speechSegments(duration: 9)
                    var before = 0.0
                    for segment in segments {
                        #expect(before <= segment.start && segment.start <= segment.end && segment.end <= 9)
                        before = segment.end
                        var word = segment.start
                        for timed in segment.words {
                            #expect(word <= timed.start && timed.start <= timed.end && timed.end <= segment.end)
                            word = timed.end
                        }
                    }
                    #expect(segments.map(\.text).sorted() == ["eins zwei — drei", "vier"])
                    count += 1
                }
            }
        }
        #expect(count == 343)
        let heard = try #require(try read(#"{"text": "a b"}"#))
        for duration in [0, -1, Double.nan, .infinity] {
            #expect(heard.speechSegments(duration: duration).allSatisfy { $0.start == 0 && $0.end == 0 })
        }
    }
}
