import DiaryCrypto
import DiaryHTTP
import FoundationEssentials
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryTesting

@Suite("Earlier texts and corrections by HTTP") struct RevisionRouteTests {
    private static let path = "/v1/entries/\(Spoken.id)"
    private static let correction = #"{"text":"x"}"#
    private static let json = [RouteTests.json, RouteTests.member]

    private static func matching(_ tag: String) -> [String] { json + ["If-Match: \(tag)"] }

    /// One sealed recording of two speakers in its version 3.
    private struct Recorded {
        let store: OneEntryStore
        let routes: DiaryRoutes

        init(kind: EntryKind = .voice, status: EntryStatus = .transcribed, heard: Bool = true) async throws {
            var ports = try FeaturePorts.stub()
            let vault = try await ports.memberKeys.vault(of: TestTokens.member)
            let row = Spoken.id.uuid
            var segments = [Spoken.segment("um we swam", at: 0.5), Spoken.segment("so did I", at: 3)]
            (segments[0].speaker, segments[1].speaker, segments[1].confidence) = ("A", "B", 0.25)
            let personal = try vault.seal(PersonalPart(edited: "first"), as: .personal, row: row, version: 3)
            let machine = try vault.seal(MachinePart(raw: "um we swam\nso did I"), as: .machine, row: row, version: 2)
            let sealed = try vault.seal(segments.numbered, as: .segments, row: row, version: 2)
            store = OneEntryStore(
                StoredEntry(
                    facts: Spoken.facts(kind: kind, status: status), personal: SealedColumn(bytes: personal, version: 3),
                    machine: SealedColumn(bytes: machine, version: 2)),
                segments: heard ? SealedColumn(bytes: sealed, version: 2) : nil)
            ports.entries = store
            routes = try Stub.routes(ports)
        }
    }

    @Test("an edited text that is replaced or cleared is an earlier text; the same one again is not")
    func edited() async throws {
        try await withRoutes(try await Recorded().routes) { server in
            func edit(_ text: String) async throws {
                let answer = try await server.ask("PATCH", Self.path, headers: Self.matching("*"), body: #"{"text":"\#(text)"}"#)
                #expect(answer.status == 200, "\(answer.text)")
            }
            for text in ["second", "second", "", "third"] { try await edit(text) }

            let answer = try await server.ask("GET", Self.path + "/revisions?layer=edited", headers: [RouteTests.member])

            #expect(answer.status == 200)
            let newest =
                #"{"items":[{"number":4,"layer":"edited","created_at":"2026-07-04T07:30:00.000Z","engine":null,"model":null,"text":"second""#
                + #","corrections":[],"damaged":false},"#
            #expect(answer.text.hasPrefix(newest), "\(answer.text)")
            #expect(answer.text.contains(#""number":3,"layer":"edited""#) && answer.text.contains(#""text":"first""#))
            #expect(answer.text.hasSuffix(#""next_cursor":null,"has_more":false}"#))
            let page = try await server.ask("GET", Self.path + "/revisions?layer=edited&limit=1", headers: [RouteTests.member])
            guard case .string(let cursor)? = page.json?["next_cursor"] else {
                Issue.record("\(page.text)")
                return
            }
            let next = try await server.ask("GET", Self.path + "/revisions?layer=edited&cursor=\(cursor)", headers: [RouteTests.member])
            #expect(next.text.contains(#""text":"first""#) && !next.text.contains("second"))
        }
    }

    @Test("a list of earlier texts needs a layer that there is, and takes only its own cursors")
    func refusedLists() async throws {
        try await withRoutes(try await Recorded().routes) { server in
            for (query, pointer) in [
                ("", "query/layer"), ("?layer=shown", "query/layer"), ("?layer=raw&cursor=x", "query/cursor"),
                ("?layer=raw&cursor=AwAAAAAAAAAA", "query/cursor"), ("?layer=raw&limit=0", "query/limit"),
            ] {
                let answer = try await server.ask("GET", Self.path + "/revisions" + query, headers: [RouteTests.member])
                ProblemTests.expectShape(answer, 422, "invalid_fields")
                #expect(answer.pointers == [pointer], "\(query)")
            }
            let other = "/v1/entries/\(EntryID(UUID()))/revisions?layer=raw"
            ProblemTests.expectShape(try await server.ask("GET", other, headers: [RouteTests.member]), 404, "not_found")
        }
    }

    @Test("a corrected segment is shown in every form with times; what was heard stays, and an empty text brings it back")
    func corrected() async throws {
        try await withRoutes(try await Recorded().routes) { server in
            func correct(_ body: String, _ tag: String) async throws -> Answer {
                try await server.ask("PATCH", Self.path + "/segments/1", headers: Self.matching(tag), body: body)
            }
            func form(_ name: String) async throws -> String {
                try await server.ask("GET", "\(Self.path)/transcript\(name)", headers: [RouteTests.member]).text
            }
            let answer = try await correct(#"{"text":"We rowed."}"#, "\"3\"")

            #expect(answer.status == 200 && answer.header("etag") == "\"4\"")
            #expect(
                answer.text.hasPrefix(#"{"id":1,"start":0.5,"end":1.9,"text":"We rowed.","is_edited":true,"speaker":"A","confidence":0.9"#),
                "\(answer.text)")
            #expect(answer.text.contains(#""text":"um""#), "the words that were heard")
            #expect(try await form("").contains(#""raw":"um we swam\nso did I""#))
            let subtitles = try await form("/file?format=srt")
            #expect(subtitles.contains("A: We rowed.") && !subtitles.contains("swam"))
            #expect(try await form("/file?format=vtt").contains("\n<v B>so did I\n"))
            #expect(try await form("/file?format=txt&layer=corrected") == "A: We rowed.\nB: so did I")
            #expect(try await form("/file?format=txt&layer=raw") == "um we swam\nso did I")
            let meeting = try await form("/file?format=meeting")
            #expect(
                meeting.contains(
                    #""text":"We rowed.","timestamp":0.5,"duration":1.4,"confidence":0.9,"speakerID":"speaker-1","isEdited":true"#),
                "\(meeting)")
            #expect(meeting.contains(#""confidence":0.25,"speakerID":"speaker-2","isEdited":false"#))

            for (body, version) in [(#"{"text":""}"#, 5), (#"{"text":null}"#, 5), (#"{"speaker":null}"#, 5)] {
                let back = try await correct(body, "*")
                #expect(back.text.contains(#""text":"um we swam","is_edited":false"#) && back.header("etag") == "\"\(version)\"")
            }
            let same = try await correct(#"{"text":"um we swam"}"#, "*")
            #expect(same.text.contains(#""is_edited":false"#), "what was heard is no correction")
        }
    }

    @Test("several segments are corrected at once, or none")
    func correctedTogether() async throws {
        try await withRoutes(try await Recorded().routes) { server in
            func correct(_ body: String) async throws -> Answer {
                try await server.ask("PATCH", Self.path + "/segments", headers: Self.matching("*"), body: body)
            }
            for (body, pointer) in [
                (#"{}"#, "/segments"), (#"{"segments":[]}"#, "/segments"), (#"{"segments":[{"id":1}]}"#, "/segments/0/text"),
                (#"{"segments":[{"id":1,"text":"x"},{"text":"y"}]}"#, "/segments/1/id"),
                (#"{"segments":[{"id":1,"text":"x"},{"id":3,"text":"y"}]}"#, "/segments/1/id"),
                (#"{"segments":[{"id":1,"text":"x","words":[]}]}"#, "/segments/0/words"),
                (#"{"segments":[{"id":1,"speaker":"a\nb"}]}"#, "/segments/0/speaker"),
            ] {
                let refused = try await correct(body)
                ProblemTests.expectShape(refused, 422, "invalid_fields")
                #expect(refused.pointers == [pointer], "\(body)")
            }

            let answer = try await correct(#"{"segments":[{"id":2,"text":"So did Ida"},{"id":1,"text":"We rowed","speaker":"Cem"}]}"#)

            #expect(answer.status == 200 && answer.header("etag") == "\"4\"", "all of it is one change")
            #expect(answer.text.hasPrefix(#"{"items":[{"id":1,"start":0.5,"end":1.9,"text":"We rowed","is_edited":true,"speaker":"Cem""#))
            #expect(answer.text.hasSuffix(#""next_cursor":null,"has_more":false}"#))
            let whole = try await server.ask("GET", "\(Self.path)/transcript", headers: [RouteTests.member]).text
            #expect(whole.contains(#""raw":"um we swam\nso did I""#) && whole.contains("We rowed") && whole.contains("So did Ida"))
        }
    }

    @Test("a segment is given to another speaker or to a new one, in every form with times; what was heard is no correction")
    func correctedSpeaker() async throws {
        try await withRoutes(try await Recorded().routes) { server in
            func correct(_ segment: Int, _ body: String) async throws -> Answer {
                try await server.ask("PATCH", "\(Self.path)/segments/\(segment)", headers: Self.matching("*"), body: body)
            }
            func form(_ name: String) async throws -> String {
                try await server.ask("GET", "\(Self.path)/transcript\(name)", headers: [RouteTests.member]).text
            }

            let answer = try await correct(1, #"{"speaker":"B"}"#)
            #expect(answer.status == 200 && answer.header("etag") == "\"4\"")
            #expect(answer.text.contains(#""text":"um we swam","is_edited":true,"speaker":"B""#), "\(answer.text)")
            #expect(try await form("").contains(#""speakers":[{"id":"B","name":null,"speaker_id":null}]"#))
            #expect(try await form("/file?format=txt&layer=corrected") == "um we swam\nso did I", "one speaker without a name")
            #expect(try await form("/file?format=meeting").contains(#""speakerID":"speaker-1","isEdited":true"#))

            #expect(
                try await correct(2, #"{"speaker":"Cem","text":"So did I."}"#).text.contains(
                    #""text":"So did I.","is_edited":true,"speaker":"Cem""#))
            #expect(try await form("/file?format=txt&layer=corrected") == "B: um we swam\nCem: So did I.")
            #expect(try await form("/file?format=srt").contains("Cem: So did I."))
            #expect(try await form("/file?format=vtt").contains("\n<v Cem>So did I.\n"))
            let named = try await server.ask(
                "PATCH", Self.path + "/speakers", headers: Self.matching("*"), body: #"{"Cem":{"name":"Cem Özdemir"}}"#)
            #expect(
                named.text
                    == #"{"items":[{"id":"B","name":null,"speaker_id":null},{"id":"Cem","name":"Cem Özdemir","speaker_id":null}],"#
                    + #""next_cursor":null,"has_more":false}"#)

            // One is left alone where the other is taken back; A was heard, though nothing is left of it.
            #expect(try await correct(2, #"{"speaker":""}"#).text.contains(#""text":"So did I.","is_edited":true,"speaker":"B""#))
            let heard = try await correct(1, #"{"speaker":"A"}"#)
            #expect(heard.text.contains(#""is_edited":false,"speaker":"A""#), "\(heard.text)")

            // Blanks at the ends are no part of a label, and alone they are none.
            #expect(try await correct(2, #"{"speaker":" Cem\n"}"#).text.contains(#""is_edited":true,"speaker":"Cem""#))
            #expect(try await correct(2, #"{"speaker":" \t "}"#).text.contains(#""text":"So did I.","is_edited":true,"speaker":"B""#))

            // A name ends with its label, and can be cleared where the label was heard and is not shown.
            #expect(try await correct(2, #"{"speaker":"Cem"}"#).text.contains(#""speaker":"Cem""#))
            #expect(try await form("/file?format=txt&layer=corrected").contains("Cem: So did I."))
            #expect(try await correct(1, #"{"speaker":"Cem"}"#).status == 200)
            let cleared = try await server.ask("PATCH", Self.path + "/speakers", headers: Self.matching("*"), body: #"{"A":{"name":null}}"#)
            #expect(cleared.status == 200)
        }
    }

    @Test("a speaker is a label of the recording, or one line of at most 40 characters; a patch names words or speaker")
    func refusedSpeakers() async throws {
        try await withRoutes(try await Recorded().routes) { server in
            func expectRefused(_ body: String, at pointer: String) async throws {
                let answer = try await server.ask("PATCH", Self.path + "/segments/1", headers: Self.matching("*"), body: body)
                ProblemTests.expectShape(answer, 422, "invalid_fields")
                #expect(answer.pointers == [pointer], "\(body)")
            }
            let wrong = [
                #""a\nb""#, #""\u0000""#, "7", "[]", "\"\(String(repeating: "x", count: 41))\"",
                "\"\(String(repeating: "x", count: 201))\"",
            ]
            for speaker in wrong { try await expectRefused("{\"speaker\":\(speaker)}", at: "/speaker") }
            try await expectRefused("{}", at: "/text")
            try await expectRefused(#"{"name":"x","text":"y"}"#, at: "/name")
        }
    }

    @Test("speakers have names, which subtitles show; a recording of one speaker without a name shows none")
    func speakers() async throws {
        try await withRoutes(try await Recorded().routes) { server in
            let answer = try await server.ask(
                "PATCH", Self.path + "/speakers", headers: Self.matching("*"), body: #"{"A":{"name":"Anna <1>"},"B":{"name":""}}"#)

            #expect(answer.status == 200 && answer.header("etag") == "\"4\"")
            #expect(
                answer.text
                    == #"{"items":[{"id":"A","name":"Anna <1>","speaker_id":null},{"id":"B","name":null,"speaker_id":null}],"#
                    + #""next_cursor":null,"has_more":false}"#)
            let captions = try await server.ask("GET", "\(Self.path)/transcript/file?format=vtt", headers: [RouteTests.member]).text
            #expect(captions.contains("\n<v Anna &lt;1&gt;>um we swam\n") && captions.contains("\n<v B>so did I\n"))
            let trimmed = try await server.ask(
                "PATCH", Self.path + "/speakers", headers: Self.matching("*"), body: #"{"A":{"name":"  "},"B":{"name":" Bo Li\u00A0\n"}}"#)
            #expect(trimmed.text.contains(#"{"id":"A","name":null,"speaker_id":null},{"id":"B","name":"Bo Li","speaker_id":null}"#))
            let unknown = try await server.ask(
                "PATCH", Self.path + "/speakers", headers: Self.matching("*"), body: #"{"C/~":{"name":"Cem"}}"#)
            ProblemTests.expectShape(unknown, 422, "invalid_fields")
            #expect(unknown.pointers == ["/C~1~0"])
            for (body, pointer) in [
                (#"{"A":7}"#, "/A"), (#"{"A":"Anna"}"#, "/A"), (#"{"A":null}"#, "/A"), (#"{"A":{}}"#, "/A/name"),
                (#"{"A":{"name":"Anna","speaker_id":null}}"#, "/A/speaker_id"), (#"{"A":{"speaker_id":"x"}}"#, "/A/speaker_id"),
                (#"{"A":{"speaker_id":"019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f"}}"#, "/A/speaker_id"),
            ] {
                let refused = try await server.ask("PATCH", Self.path + "/speakers", headers: Self.matching("*"), body: body)
                ProblemTests.expectShape(refused, 422, "invalid_fields")
                #expect(refused.pointers == [pointer], "\(body)")
            }
        }
    }

    @Test("corrections need the entry's version, a segment that there is, and words that were recognised")
    func refusedCorrections() async throws {

        try await withRoutes(try await Recorded().routes) { server in
            func correct(_ segment: String, _ headers: [String], _ body: String = Self.correction) async throws -> Answer {
                try await server.ask("PATCH", Self.path + "/segments/" + segment, headers: headers, body: body)
            }
            ProblemTests.expectShape(try await correct("1", Self.json), 428, "precondition_required")
            let stale = try await correct("1", Self.matching("\"2\""))
            ProblemTests.expectShape(stale, 412, "precondition_failed")
            #expect(stale.header("etag") == "\"3\"")
            for segment in ["0", "3", "-1", "01", "+1", "a", "99999999999999999999"] {
                ProblemTests.expectShape(try await correct(segment, Self.matching("*")), 404, "not_found")
            }
            #expect(try await correct("1", Self.matching("*"), #"{"words":[]}"#).pointers == ["/text", "/words"])
            #expect(try await correct("1", Self.matching("*"), #"{"text":7}"#).pointers == ["/text"])
        }
        for (recorded, code) in [
            (try await Recorded(kind: .text, heard: false), "not_a_voice_entry"),
            (try await Recorded(status: .transcribing, heard: false), "transcript_not_ready"),
        ] {
            try await withRoutes(recorded.routes) { server in
                for path in ["/segments/1", "/speakers"] {
                    ProblemTests.expectShape(
                        try await server.ask(
                            "PATCH", Self.path + path, headers: Self.matching("*"), body: path == "/speakers" ? "{}" : Self.correction),
                        409, code)
                }
            }
        }
    }

    @Test("a finished entry is processed again with what was asked; engines are those of the app")
    func reprocess() async throws {
        let recorded = try await Recorded()
        try await withRoutes(recorded.routes) { server in
            func ask(_ body: String) async throws -> Answer {
                try await server.ask("POST", Self.path + "/reprocess", headers: Self.json, body: body)
            }
            let answer = try await ask(#"{"stage":"transcribe","language":"de","engine":"here"}"#)
            #expect(answer.status == 202 && answer.header("etag") == "\"3\"" && answer.text.contains(#""id":"\#(Spoken.id)""#))
            #expect(recorded.store.runs.map(\.stage) == [.transcribe] && recorded.store.runs.first?.engine == "here")
            #expect(recorded.store.runs.first?.language == "de")
            for (body, pointers) in [
                (#"{"language":"de","engine":"here"}"#, ["/language", "/engine"]), (#"{"stage":"verify"}"#, ["/stage"]),
                (#"{"stage":"clean","language":"de"}"#, ["/language"]),
                (#"{"stage":"clean","engine":"here"}"#, ["/engine"]), (#"{"stage":"transcribe","engine":"rules"}"#, ["/engine"]),
                (#"{"stage":"transcribe","language":"?"}"#, ["/language"]),
            ] {
                let refused = try await ask(body)
                ProblemTests.expectShape(refused, 422, "invalid_fields")
                #expect(refused.pointers == pointers, "\(body)")
            }
            #expect(recorded.store.runs.count == 1)
        }
    }

    @Test(
        "an entry that cannot be processed again says why",
        arguments: [
            (EntryKind.text, EntryStatus.transcribed, "not_a_voice_entry"), (.voice, .awaitingUpload, "upload_incomplete"),
            (.voice, .uploaded, "already_processing"), (.voice, .transcribing, "already_processing"),
            (.voice, .cleaning, "already_processing"), (.voice, .failed, "reprocess_not_possible"),
        ])
    func refusedRuns(kind: EntryKind, status: EntryStatus, code: String) async throws {
        try await withRoutes(try await Recorded(kind: kind, status: status).routes) { server in
            let answer = try await server.ask("POST", Self.path + "/reprocess", headers: Self.json, body: #"{"stage":"transcribe"}"#)
            ProblemTests.expectShape(answer, 409, code)
            // The double has no failed entry to begin again.
            guard status != .failed else { return }
            let begun = try await server.ask("POST", Self.path + "/reprocess", headers: Self.json, body: "{}")
            ProblemTests.expectShape(begun, 409, code)
        }
    }
}
