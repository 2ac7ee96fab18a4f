import DiaryCore
import Foundation
import Testing
import WireFormats

@testable import DiaryWorker

@Suite("Elements of foreign lists")
struct ImportElementTests {
    private func object(_ json: String) throws -> JSONObject { try #require(ImportArchive.object(Array(json.utf8))) }

    private func dayOne(_ json: String, files: [String: String] = [:]) throws -> ImportElement {
        DayOneElement(recording: { files[$0] }).read(try object(json))
    }

    @Test(
        "links to attachments and needless backslashes go, the rest of the words stays",
        arguments: [
            ("It rained\\. We stayed in\\!", "It rained. We stayed in!"),
            ("![](dayone-moment://0A1B)\n\nWords", "Words"),
            ("before ![](dayone-moment:/audio/0A1B) after", "before  after"),
            ("a\n![](dayone-moment:/video/1)\nb\n", "a\nb"),
            ("![a photo](dayone-moment://1)![](dayone-moment:/pdfAttachment/2)", ""),
            ("![picture](https://example.org/a.png)", "![picture](https://example.org/a.png)"),
            ("![unfinished](dayone-moment://1", "![unfinished](dayone-moment://1"), ("![", "!["), ("\\", "\\"), ("\\\\", "\\"),
            ("C:\\Users", "C:\\Users"),
            ("* one\n* two", "* one\n* two"), ("\\# no heading", "# no heading"), ("", ""), ("é\\-\u{1F600}", "é-\u{1F600}"),
        ])
    func plain(markdown: String, text: String) {
        #expect(MomentText.plain(markdown) == text)
    }

    @Test("an id is kept when it is a UUID, with hyphens or without, and otherwise follows from the words")
    func ids() throws {
        func id(_ uuid: String) throws -> EntryID? {
            guard case .entries(let found) = try dayOne(#"{"creationDate":"2019-01-01T10:00:00Z","text":"x"\#(uuid)}"#) else { return nil }
            return found.first?.id
        }
        let text = "019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f"
        #expect(try id(#","uuid":"\#(text)""#) == EntryID(text))
        #expect(try id(#","uuid":"\#(text.replacing("-", with: "").uppercased())""#) == EntryID(text))
        let derived = try #require(try id(#","uuid":"what""#))
        #expect(try id("") == derived && derived.description.dropFirst(14).first == "8")
    }

    @Test("each recording becomes an entry, the first with the words; what is missing is said")
    func recordings() throws {
        let json = """
            {"creationDate":"2019-01-01T10:00:00Z","timeZone":"America\\/New_York","text":"words","uuid":"019a2b6e5c107d219a3e0f5f6c1d2e3f","tags":["a"],
            "starred":true,"audios":[{"md5":"one","format":"aac"},{"md5":"two"},{"md5":"gone"},{"md5":"odd"}],"videos":[{}]}
            """
        let files = ["one": "audios/one.m4a", "two": "audios/two.mp3", "odd": "audios/odd.xyz"]
        guard case .entries(let entries) = try dayOne(json, files: files) else { throw CancellationError() }
        #expect(entries.map(\.facts.kind) == [.voice, .voice] && entries.map(\.personal.edited) == ["words", nil])
        #expect(entries.map { $0.recording?.format } == [.m4a, .mpeg])
        #expect(entries.allSatisfy { $0.personal.tags == ["a"] && $0.facts.favorite })
        #expect(Set(entries.map(\.id)).count == 2 && entries[0].facts.timeZone == "America/New_York")
        #expect(entries[0].notes.map(\.code) == [.attachmentNotSupported, .fileMissing, .recordingNotSupported])
        #expect(try dayOne(json, files: files).ids == entries.map(\.id), "a repeated import finds them")
    }

    @Test("the words of the rich text stand in where there is no other")
    func richText() throws {
        let rich = #"{\"contents\":[{\"text\":\"one\\n\"},{\"embeddedObjects\":[]},{\"text\":\"two\"}]}"#
        guard case .entries(let entries) = try dayOne(#"{"creationDate":"2019-01-01T10:00:00Z","richText":"\#(rich)"}"#) else {
            throw CancellationError()
        }
        #expect(entries.first?.personal.edited == "one\ntwo")
    }

    private static let whole = """
        {"id":"019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f","kind":"voice","status":"transcribed","change_number":9,
        "versions":{"personal":3,"machine":2,"segments":2,"corrections":3},"recorded_at":"2026-03-01T12:00:00.000Z","time_zone":"Europe/Berlin",
        "local_time":"2026-03-01T13:00:00","local_date":"2026-03-01","created_at":"2026-03-01T12:01:00.000Z","updated_at":"2026-03-02T00:00:00.000Z",
        "title":"T","tags":["a","b"],"mood":"calm","favorite":true,"keep_audio":true,"language":"de","duration_s":2.5,
        "layers":{"raw":"um hello","clean":"Hello.","edited":"Hello!"},"engines":{"speech":{"name":"local","model":"m/1"},"text":{"name":"rules"}},
        "voice":{"coverage":0.75,"gaps":[{"start":4.25,"end":9.5}]},
        "cleanup":{"state":"accepted","score":0.998},"suggestions":{"title":"S","tags":["x"],"mood":"m"},
        "answered_suggestions":[{"kind":"tag","text":"x","accepted":true},{"kind":"mood","text":"m"}],"summary":"sum","key_points":["p"],
        "recording":{"content_type":"audio/webm","size_bytes":10,"sha256":"\(String(repeating: "ab", count: 32))","kept":true,
        "copy":{"content_type":"audio/mp4","size_bytes":5,"sha256":"\(String(repeating: "cd", count: 32))"}},
        "segments":[{"id":1,"start":0,"end":1.5,"words":[{"text":"um","start":0,"end":0.5,"confidence":0.25}],"confidence":0.5,"speaker":"A",
        "marks":["low"],"corrected_text":"Hm","corrected_speaker":"C"}],"speakers":[{"id":"A","name":" Anna "},{"id":"C","name":"  "}],
        "revisions":[{"layer":"edited","number":2,"replaced_at":"2026-03-01T12:02:00.000Z","text":"Hi"},
        {"layer":"raw","number":1,"replaced_at":"2026-03-01T12:02:00.000Z","text":"er","engine":{"name":"local"}},
        {"layer":"corrected","number":1,"replaced_at":"2026-03-01T12:02:00.000Z","text":"er",
        "corrections":[{"segment":1,"start":0,"end":1,"text":"er","speaker":"C"}]}],
        "files":[FILES],"gaps":[]}
        """

    private static func file(_ source: String, _ path: String) -> String {
        #"{"path":"\#(path)","role":"audio","size":5,"sha256":"\#(String(repeating: "cd", count: 32))","source":"\#(source)"}"#
    }

    private func ours(_ files: String, change: (String) -> String = { $0 }) throws -> ImportElement {
        DiaryExportElement().read(try object(change(Self.whole.replacing("FILES", with: files))))
    }

    @Test("everything that our manifest says of an entry is read")
    func ours() throws {
        guard case .entries(let entries) = try ours(Self.file("original", "audio/x.webm") + "," + Self.file("copy", "audio/x.m4a")) else {
            throw CancellationError()
        }
        let entry = try #require(entries.first)
        #expect(
            entry.personal.title == "T" && entry.personal.tags == ["a", "b"] && entry.personal.edited == "Hello!" && entry.facts.favorite
                && entry.facts.keepAudio)
        #expect(entry.machine?.coverage == VoiceCoverage(thousandths: 750, gaps: [VoiceSpan(start: 4.25, end: 9.5)]))
        #expect(entry.machine?.raw == "um hello" && entry.machine?.clean == "Hello." && entry.machine?.cleanup == Cleanup(thousandths: 998))
        #expect(entry.machine?.speechEngine == EngineReference(name: "local", model: "m/1") && entry.machine?.summary == "sum")
        #expect(entry.machine?.suggested == Suggestions(title: "S", tags: ["x"], mood: "m"))
        #expect(entry.personal.answered == [AnsweredSuggestion(.tag, "x"), AnsweredSuggestion(.mood, "m")])
        #expect(entry.personal.accepted == [AnsweredSuggestion(.tag, "x")])
        #expect(entry.segments?.first?.words.first?.confidence == 0.25 && entry.segments?.first?.marks == ["low"])
        #expect(entry.segments?.first?.speaker == "A")
        #expect(entry.corrections == SegmentCorrections(texts: [1: "Hm"], speakers: ["A": "Anna"], segmentSpeakers: [1: "C"]))
        #expect((entry.personalVersion, entry.machineVersion, entry.segmentsVersion, entry.correctionsVersion) == (3, 2, 2, 3))
        #expect(entry.revisions.map(\.layer) == [.edited, .raw, .corrected] && entry.revisions.map(\.number) == [2, 1, 1])
        #expect(entry.revisions.last?.part.corrections == [.init(segment: 1, start: 0, end: 1, text: "er", speaker: "C")])
        #expect(entry.recording?.format == .webm && entry.recording?.file.member == "audio/x.webm")
        // The copy stands for an original that is not in the zip; without both the words are kept.
        guard case .entries(let copied) = try ours(Self.file("copy", "audio/x.m4a")), case .entries(let without) = try ours("") else {
            throw CancellationError()
        }
        #expect(copied.first?.recording?.format == .m4a)
        #expect(without.first?.recording == nil && without.first?.lost?.sizeBytes == 10)
    }

    @Test(
        "what the exporting service could not read is noted once; what was not there to be read is not",
        arguments: ["damaged", "missing", "removed"])
    func gaps(reason: String) throws {
        let gap = #"{"missing":"audio","reason":"\#(reason)"}"#
        guard case .entries(let entries) = try ours("", change: { $0.replacing(#""gaps":[]"#, with: #""gaps":[\#(gap),\#(gap)]"#) }) else {
            throw CancellationError()
        }

        #expect(entries.first?.notes.map(\.code) == (reason == "removed" ? [] : [.exportedDamaged]))
    }

    @Test("a version is greater than the numbers of earlier texts, whatever the list says")
    func versions() throws {
        guard
            case .entries(let entries) = try ours(
                "",
                change: {
                    $0.replacing(#""personal":3,"machine":2"#, with: #""personal":0,"machine":0"#).replacing(
                        #""corrections":3"#, with: #""corrections":0"#)
                })
        else { throw CancellationError() }
        #expect(entries.first?.personalVersion == 3 && entries.first?.machineVersion == 2)
    }
}

extension ImportElement {
    fileprivate var ids: [EntryID] { if case .entries(let entries) = self { entries.map(\.id) } else { [] } }
}
