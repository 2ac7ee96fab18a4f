import DiaryCrypto
import DiaryTesting
import Foundation
import Testing
import WireFormats
import ZipArchive

@testable import DiaryCore
@testable import DiaryWorker

@Suite("Contents of exports", .timeLimit(.minutes(2)))
struct ExportContentsTests {
    private static let id = "01990000-0000-7000-8000-0000aaaaaaaa"
    private static let spoken = [
        SpeechSegment(
            start: 0.25, end: 1.5,
            words: [
                TimedWord(text: "hello", start: 0.25, end: 0.7, confidence: 0.123456789012345),
                TimedWord(text: "hannah", start: 0.8, end: 1.5, confidence: 0.5),
            ], id: 1, confidence: 0.4, speaker: "A", marks: ["low_confidence"]),
        SpeechSegment(start: 2, end: 3, words: [TimedWord(text: "good", start: 2, end: 3, confidence: 1)], id: 2, speaker: "B"),
    ]

    /// A recording with everything that can be stored about one.
    private static func whole(_ person: Person, _ objects: MemoryObjects) throws -> StoredExportEntry {
        let (vault, object, id) = (person.vault, UUID(), try #require(EntryID(Self.id)))
        objects[person.key(.audio, object)] = [1, 2, 3]
        let facts = EntryFacts(
            id: id, kind: .voice, status: .transcribed, processing: nil, recordedAt: Date(timeIntervalSince1970: 1_772_904_605.25),
            timeZone: "Europe/Berlin", localTime: LocalTime(year: 2026, month: 3, day: 7, hour: 18, minute: 30, second: 5),
            day: try #require(CalendarDay("2026-03-07")), createdAt: Date(timeIntervalSince1970: 1_772_904_606.123456),
            updatedAt: Date(timeIntervalSince1970: 1_772_904_607), deletedAt: nil, durationSeconds: 12.5, sizeBytes: 3,
            contentType: "audio/mp4", sha256: SHA256.digest([1, 2, 3]), language: "en", object: object, changeNumber: 7, favorite: true,
            keepAudio: true)
        var personal = PersonalPart(title: "A *walk*", edited: "My words", tags: ["sea", "early walk"], mood: "calm")
        personal.metadata["cue_id"] = "42"
        personal.answered = [AnsweredSuggestion(.tag, "Lake"), AnsweredSuggestion(.mood, "Happy")]
        personal.accepted = [AnsweredSuggestion(.tag, "Lake")]
        personal.notes = [
            EntryNote(
                id: try #require(NoteID("01990000-0000-7000-8000-0000bbbbbbbb")), text: "Ask *him*.", at: 1.5,
                createdAt: Date(timeIntervalSince1970: 1_772_904_605.25))
        ]
        var machine = MachinePart(
            raw: "hello hannah good", clean: "Hello, Hannah. Good.", cleanup: Cleanup(thousandths: 912),
            speechEngine: EngineReference(name: "local", model: "a/b"), textEngine: EngineReference(name: "rules"))
        machine.suggested = Suggestions(title: "Greeting", tags: ["lake"], mood: "happy")
        machine.summary = "Two people meet."
        machine.keyPoints = ["They meet."]
        machine.coverage = VoiceCoverage(thousandths: 750, gaps: [VoiceSpan(start: 4.25, end: 9.5)])
        personal.corrected = CorrectedText("Hello, Anna. Good.", of: machine)
        let corrections = SegmentCorrections(
            texts: [1: "Hello, Anna."], speakers: ["C": "Dr. <Brown>"], segmentSpeakers: [2: "C"])
        let revision = try vault.seal(
            RevisionPart(
                text: "older", engine: EngineReference(name: "local"),
                corrections: [.init(segment: 1, start: 0.25, end: 1.5, text: "Hello", speaker: "C")]), .corrected, number: 4, of: id)
        return StoredExportEntry(
            entry: try vault.entry(facts, personal, machine), uploadedAt: Date(timeIntervalSince1970: 1_772_904_606.5),
            segments: SealedColumn(bytes: try vault.seal(Self.spoken, as: .segments, row: id.uuid, version: 2), version: 2),
            corrections: StoredCorrections(
                sealed: SealedColumn(bytes: try vault.seal(corrections, as: .corrections, row: id.uuid, version: 5), version: 5),
                segmentsVersion: 2),
            waveform: SealedColumn(
                bytes: try vault.seal(Waveform { UInt8($0 % 256) }, as: .waveform, row: object), version: 1),
            revisions: [
                .corrected: [
                    StoredRevision(
                        sealed: SealedColumn(bytes: revision.sealed, version: 4), createdAt: Date(timeIntervalSince1970: 1_772_904_700))
                ]
            ])
    }

    private static func built(
        _ person: Person, _ objects: MemoryObjects, _ entries: [StoredExportEntry], _ contents: ExportContents
    ) async throws -> ExportTests.Reading {
        let store = ScriptedJobStore()
        var export = try ExportTests.export()
        export.contents = contents
        store.put(export, try ExportTests.profile(person), entries: [entries])
        return try await ExportTests.read(try await ExportTests.build(person, store, objects))
    }

    @Test("each format is a file of the layer that was asked for, and names are times and ids (E1)")
    func formats() async throws {
        let person = try await Person()
        let objects = MemoryObjects(sealedBy: person.vault.key)
        let contents = ExportContents(formats: Set(ExportFormat.allCases), layer: .clean)

        let zip = try await Self.built(person, objects, [try Self.whole(person, objects)], contents)

        let stem = "2026-03-07_18-30-05"
        #expect(
            zip.names == [
                "text/\(stem).txt", "text/\(stem).md", "srt/\(stem).srt", "entries/\(Self.id)/transcript.json",
                "entries/\(Self.id)/metadata.json", "audio/\(stem)_aaaaaaaa.m4a", "index.html", "manifest.json",
            ])
        #expect(
            zip.texts["text/\(stem).txt"]
                == "A *walk*\n\nHello, Hannah. Good.\n\nA: Hello, Anna.\nDr. <Brown>: good\n\nNotes:\n- 0:01 Ask *him*.\n")
        #expect(
            zip.texts["text/\(stem).md"]
                == "# A \\*walk\\*\n\n7 March 2026, 18:30 (Berlin time)\n\nTags: sea, early walk\n\nHello, Hannah. Good.\n\n"
                + "## Transcript\n\n**A:** Hello, Anna.\n\n**Dr. \\<Brown\\>:** good\n\nNotes:\n\n- 0:01 Ask \\*him\\*.\n")
        #expect(
            zip.texts["srt/\(stem).srt"]
                == "1\r\n00:00:00,250 --> 00:00:01,500\r\nA: Hello, Anna.\r\n\r\n2\r\n00:00:02,000 --> 00:00:03,000\r\nDr. <Brown>: good\r\n\r\n"
        )
        let heard = try #require(zip.texts["entries/\(Self.id)/transcript.json"])
        #expect(
            heard.contains(
                #""text":"Hello, Anna.","timestamp":0.25,"duration":1.25,"confidence":0.4,"speakerID":"speaker-1","isEdited":true"#))
        #expect(heard.contains(#""speakerID":"speaker-2","isEdited":true"#))
        #expect(
            zip.texts["entries/\(Self.id)/metadata.json"]
                == #"{"id":"\#(Self.id)","title":"A *walk*","date":"2026-03-07T17:30:05Z","duration":12.5,"fileSize":3,"#
                + #""tags":["sea","early walk"],"speakers":[{"id":"speaker-1","displayName":"A"},{"id":"speaker-2","displayName":"Dr. <Brown>"}],"notes":[{"id":"01990000-0000-7000-8000-0000bbbbbbbb","text":"Ask *him*.","timestamp":1.5,"createdAt":"2026-03-07T17:30:05Z"}],"metadata":{"cue_id":"42"},"lastModified":"2026-03-07T17:30:07Z"}"#
        )
    }

    @Test("the manifest has every layer, segment, time and answer exactly, whatever files were asked for")
    func everyField() async throws {
        let person = try await Person()
        let objects = MemoryObjects(sealedBy: person.vault.key)

        let zip = try await Self.built(
            person, objects, [try Self.whole(person, objects)], ExportContents(includeAudio: false, formats: [], layer: .raw))

        #expect(zip.names == ["index.html", "manifest.json"])
        let manifest = try ExportTests.manifest(of: zip)
        let entry = try #require((manifest["entries"] as? [[String: Any]])?.first)
        func sorted(_ object: Any) throws -> String {
            String(
                decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]), as: UTF8.self
            )
        }
        var waveform = Data()
        for place in 0..<Waveform.points { waveform.append(UInt8(place % 256)) }
        let expected = """
            {"answered_suggestions":[{"accepted":true,"kind":"tag","text":"lake"},{"kind":"mood","text":"happy"}],"change_number":7,"cleanup":{"score":0.912,"state":"accepted"},\
            "created_at":"2026-03-07T17:30:06.123456Z","duration_s":12.5,"engines":{"speech":{"model":"a/b","name":"local"},"text":{"name":"rules"}},\
            "favorite":true,"files":[],"gaps":[],"id":"\(Self.id)","keep_audio":true,"key_points":["They meet."],"kind":"voice","language":"en",\
            "layers":{"clean":"Hello, Hannah. Good.","corrected":"Hello, Anna. Good.","edited":"My words","raw":"hello hannah good"},"local_date":"2026-03-07",\
            "local_time":"2026-03-07T18:30:05","metadata":{"cue_id":"42"},"mood":"calm",\
            "notes":[{"at":1.5,"created_at":"2026-03-07T17:30:05.250Z","id":"01990000-0000-7000-8000-0000bbbbbbbb","text":"Ask *him*."}],"recorded_at":"2026-03-07T17:30:05.250Z",\
            "recording":{"content_type":"audio/mp4","kept":true,"sha256":"\(Hex.encode(SHA256.digest([1, 2, 3])))","size_bytes":3,\
            "waveform":"\(waveform.base64EncodedString())"},\
            "revisions":[{"corrections":[{"end":1.5,"segment":1,"speaker":"C","start":0.25,"text":"Hello"}],"engine":{"name":"local"},"layer":"corrected","number":4,\
            "replaced_at":"2026-03-07T17:31:40.000Z","text":"older"}],\
            "segments":[{"confidence":0.4,"corrected_text":"Hello, Anna.","end":1.5,"id":1,"marks":["low_confidence"],"speaker":"A","start":0.25,\
            "words":[{"confidence":0.123456789012345,"end":0.7,"start":0.25,"text":"hello"},{"confidence":0.5,"end":1.5,"start":0.8,"text":"hannah"}]},\
            {"corrected_speaker":"C","end":3,"id":2,"speaker":"B","start":2,"words":[{"confidence":1,"end":3,"start":2,"text":"good"}]}],\
            "speakers":[{"id":"A"},{"id":"C","name":"Dr. <Brown>"},{"id":"B"}],"status":"transcribed",\
            "suggestions":{"mood":"happy","tags":["lake"],"title":"Greeting"},"summary":"Two people meet.","tags":["sea","early walk"],\
            "time_zone":"Europe/Berlin","title":"A *walk*","updated_at":"2026-03-07T17:30:07.000Z","uploaded_at":"2026-03-07T17:30:06.500Z",\
            "versions":{"corrections":5,"machine":1,"personal":1,"segments":2},\
            "voice":{"coverage":0.75,"gaps":[{"end":9.5,"start":4.25}]}}
            """
        #expect(try sorted(entry) == sorted(try JSONSerialization.jsonObject(with: Data(expected.utf8))))
        let files = try #require(manifest["files"] as? [[String: Any]])
        #expect(files.map { $0["path"] as? String } == ["index.html"])
        #expect(files.first?["sha256"] as? String == zip.hashes["index.html"])
        #expect(manifest["part"] as? [String: Int] == ["number": 1, "count": 1])
    }

    @Test("G6: the types of what is sealed have no member that the manifest does not know: a new one is written there, and listed here")
    func sealedMembers() {
        func members(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }

        // `unknown`: what a later version has written, which this one cannot name. `deletedNotes` has ids alone, `recognition` a
        // number, `cleaned` what a shown correction was made from, which other members have: no zip has them.
        #expect(
            members(PersonalPart()) == [
                "title", "edited", "tags", "mood", "metadata", "answered", "accepted", "notes", "deletedNotes", "corrected", "unknown",
            ])
        #expect(members(EntryNote(id: NoteID(UUID()), text: "", at: nil, createdAt: Date())) == ["id", "text", "at", "createdAt"])
        #expect(
            members(MachinePart()) == [
                "raw", "clean", "cleanup", "speechEngine", "textEngine", "suggested", "summary", "keyPoints", "coverage", "recognition",
                "unknown",
            ])
        #expect(members(Cleanup(thousandths: 1)) == ["thousandths", "reason"])
        #expect(members(Suggestions()) == ["title", "tags", "mood"])
        #expect(members(EngineReference(name: "")) == ["name", "model"])
        #expect(
            members(SpeechSegment(start: 0, end: 0, words: [])) == [
                "start", "end", "words", "id", "confidence", "speaker", "editedText", "editedSpeaker", "marks",
            ])
        #expect(members(TimedWord(text: "", start: 0, end: 0, confidence: 0)) == ["text", "start", "end", "confidence"])
        #expect(members(SegmentCorrections()) == ["texts", "speakers", "segmentSpeakers", "profiles", "cleaned"])
        #expect(members(RevisionPart(text: "")) == ["text", "engine", "corrections", "unknown"])
        #expect(members(RevisionPart.Correction(segment: 1, start: 0, end: 0, text: "")) == ["segment", "start", "end", "text", "speaker"])
    }

    @Test("what is not there is named with its reason")
    func gaps() async throws {
        let person = try await Person()
        let objects = MemoryObjects(sealedBy: person.vault.key)
        let all: Set<ExportFormat> = [.txt, .md, .srt, .transcriptJSON, .metadataJSON]
        func gaps(_ stored: StoredExportEntry, _ layer: ExportLayer) throws -> [String] {
            let opened = try person.vault.open([stored], locale: nil)
            let entry = try #require(opened.first)
            return (ExportGap.damaged(entry) + ExportedTexts(entry, ExportContents(formats: all, layer: layer)).gaps).map {
                "\($0.missing.rawValue) \($0.reason.rawValue)"
            }
        }
        var stored = try Self.whole(person, objects)
        #expect(try gaps(stored, .edited) == [])

        let waiting = try person.vault.entry(.make(status: .transcribing))
        #expect(
            try gaps(StoredExportEntry(entry: waiting), .shown) == [
                "txt no_transcript", "md no_transcript", "srt no_transcript", "transcript_json no_transcript",
            ])
        let typed = try person.vault.entry(.make(.text), PersonalPart(edited: "typed"))
        #expect(try gaps(StoredExportEntry(entry: typed), .clean) == ["txt layer_missing", "md layer_missing"])
        let silent = try person.vault.entry(.make(.text))
        #expect(try gaps(StoredExportEntry(entry: silent), .shown) == ["txt no_text", "md no_text"])

        func flipped(_ column: SealedColumn?) -> SealedColumn? {
            column.map { column in
                var bytes = column.bytes
                bytes[bytes.count - 1] ^= 1
                return SealedColumn(bytes: bytes, version: column.version)
            }
        }
        stored.entry.machine = flipped(stored.entry.machine)
        stored.segments = flipped(stored.segments)
        if let corrections = flipped(stored.corrections?.sealed) { stored.corrections?.sealed = corrections }
        stored.waveform = flipped(stored.waveform)
        stored.revisions[.corrected]?[0].sealed = SealedColumn(bytes: [1, 2, 3], version: 4)
        #expect(
            try gaps(stored, .raw) == [
                "machine damaged", "segments damaged", "corrections damaged", "waveform damaged", "revision damaged", "txt damaged",
                "md damaged", "srt damaged", "transcript_json damaged",
            ])
    }

    @Test("corrections of other segments than those that are there change nothing")
    func staleCorrections() async throws {
        let person = try await Person()
        var stored = try Self.whole(person, MemoryObjects(sealedBy: person.vault.key))
        stored.corrections?.segmentsVersion = 1

        let opened = try #require(try person.vault.open([stored], locale: nil).first)

        #expect(opened.transcript.segments == Self.spoken && opened.transcript.corrections.isEmpty)
        #expect(opened.versions.corrections == nil && opened.damaged.isEmpty)
    }

    @Test("names of a later part never collide with those of the first")
    func laterParts() throws {
        var (first, second) = (ExportNames(), ExportNames(part: 2))
        let facts = try EntryFacts.make(id: ExportTests.id("aaaaaaaa"))

        #expect(first.stem(facts) == "2026-03-07_18-30-05" && second.stem(facts) == "2026-03-07_18-30-05_aaaaaaaa")
    }

    @Test("a file that is put together reads the same in pieces of any size", arguments: [1, 2, 7, 1_000])
    func composed(size: Int) throws {
        let file = try UnlinkedTempFile(folder: FileManager.default.temporaryDirectory.path)
        try file.append(Array("0123456789".utf8))
        let composed = ComposedFile(
            [.bytes(Array("ab".utf8)), .range(3..<7), .bytes([]), .range(0..<0), .range(9..<10), .bytes([33])], of: file)

        var read: [UInt8] = []
        while true {
            let bytes = try composed.read(max: size)
            if bytes.isEmpty { break }
            #expect(bytes.count <= size)
            read += bytes
        }

        #expect(String(decoding: read, as: UTF8.self) == "ab34569!")
        #expect(composed.length == 8)
        #expect(try composed.digest() == SHA256.digest(read))
    }
}
