import DiaryCore
import Foundation
import Testing

@testable import DiaryMedia

@Suite("The form of a transcription is the SDK's")
struct TranscriptionFormTests {
    let job: JobFolder

    init() throws { job = try JobFolder() }

    /// A call of the official SDK, by make_sdk_forms.py.
    struct Call: Decodable, Sendable, CustomTestStringConvertible {
        var model: String
        var contentType: String
        var language: String?
        var vocabulary: [String]?
        var speakers: [Voice]?
        var audio: String
        var body: String

        struct Voice: Decodable, Sendable {
            var name: String
            var sample: String
        }

        var testDescription: String { "\(model) \(contentType) \(language ?? "-")" }

        static let all: [Call] = {
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "sdk-forms.json")
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return (try? decoder.decode([Call].self, from: Data(contentsOf: file))) ?? []
        }()
    }

    @Test("there are calls of the SDK to compare with")
    func calls() { #expect(Call.all.count >= 8) }

    @Test("byte for byte what the SDK sends for the same call", arguments: Call.all)
    func equal(call: Call) async throws {
        let path = job.path + "/whatever"
        try Data(call.audio.utf8).write(to: URL(filePath: path))
        let file = try #require(TranscriptionForm.file(path, contentType: call.contentType))
        let parts = TranscriptionForm.parts(
            model: call.model, file: file, language: call.language, vocabulary: call.vocabulary ?? [],
            speakers: (call.speakers ?? []).map {
                KnownSpeaker(name: $0.name, sample: Array($0.sample.utf8), contentType: "audio/ogg")
            })

        let body = try #require(FormBody(parts, boundary: String(repeating: "0", count: 32)))
        let reader = FormReader(body)
        var bytes: [UInt8] = []
        while let chunk = try reader.next() { bytes += chunk }

        #expect(String(decoding: bytes, as: UTF8.self) == call.body)
        #expect(body.length == bytes.count)
    }

    @Test("raw AAC, CAF, QuickTime, and AMR, alone or in 3GP, are not sent as they are; all else that the service takes is")
    func kinds() {
        let refused = AudioFormat.allCases.filter { !TranscriptionForm.takes($0.rawValue) }

        #expect(
            refused == [
                .aac, .caf, .amr, .amrWideband, .threeGPP, .threeGPPVideo, .cafAlias, .xAac, .quickTime, .quickTimeAudio,
            ])
        #expect(!TranscriptionForm.takes("text/plain"))
    }

    @Test("a file is read in chunks, whole and in order")
    func chunks() throws {
        let path = job.path + "/large"
        let audio = (0..<(FormReader.chunk * 2 + 77)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try Data(audio).write(to: URL(filePath: path))
        let body = try #require(FormBody([.file("file", path: path, fileName: "a.wav", contentType: "audio/x-wav")], boundary: "b"))
        let reader = FormReader(body)

        var chunks: [[UInt8]] = []
        while let chunk = try reader.next() { chunks.append(chunk) }

        #expect(chunks.dropFirst().dropLast().flatMap { $0 } == audio)
        #expect(chunks.allSatisfy { $0.count <= FormReader.chunk })
        #expect(body.length == chunks.reduce(0) { $0 + $1.count })
    }

    @Test("a file that became shorter while it was sent fails the request")
    func shortened() throws {
        let path = job.path + "/file"
        try Data(count: 1000).write(to: URL(filePath: path))
        let body = try #require(FormBody([.file("file", path: path, fileName: "a.wav", contentType: "audio/x-wav")]))
        try Data(count: 10).write(to: URL(filePath: path))
        let reader = FormReader(body)

        #expect(throws: FormReader.Changed.self) {
            while try reader.next() != nil {}
        }
        #expect(FormBody([.file("file", path: job.path + "/none", fileName: "a", contentType: "b")]) == nil)
        #expect(FormBody([.file("file", path: job.path, fileName: "a", contentType: "b")]) == nil, "a folder")
    }

    @Test("each request has a boundary of its own, of 32 hex digits")
    func boundaries() throws {
        let one = try #require(FormBody([.field("a", "b")]))
        let other = try #require(FormBody([.field("a", "b")]))
        #expect(one.boundary != other.boundary)
        #expect(one.boundary.wholeMatch(of: /[0-9a-f]{32}/) != nil)
    }

    @Test("a prompt has whole terms in at most 800 characters")
    func prompts() {
        #expect(TranscriptionForm.prompt([]) == nil)
        #expect(TranscriptionForm.prompt(["", " \n"]) == nil)
        #expect(TranscriptionForm.prompt(["Zürich", "Ann\r\n--x", "a  b"]) == "Zürich, Ann --x, a b")
        let long = TranscriptionForm.prompt([String(repeating: "x", count: 801)] + (0..<500).map { "name\($0)" })
        #expect((780...800).contains(long?.count ?? 0))
        #expect(long?.hasPrefix("name0, name1") == true)
    }

    @Test(
        "the format follows from the model's name",
        arguments: [
            ("whisper-1", TranscriptionFormat.verboseJSON), ("whisper-large-v3-turbo", .verboseJSON),
            ("Systran/faster-whisper-small", .verboseJSON), ("gpt-4o-transcribe", .json),
            ("openai/gpt-4o-mini-transcribe-2025-12-15", .json),
            ("gpt-transcribe", .json), ("gpt-4o-transcribe-diarize", .diarizedJSON), ("GPT-4o-Transcribe-Diarize", .diarizedJSON),
        ])
    func formats(model: String, format: TranscriptionFormat) {
        #expect(TranscriptionFormat(model: model) == format)
        #expect(TranscriptionForm.knownSpeakers(model) == (format == .diarizedJSON ? 4 : 0))
    }
}
