import DiaryCrypto
import DiaryHTTP
import FoundationEssentials
import TestHTTPClient
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryTesting

@Suite("Transcripts by HTTP") struct TranscriptRouteTests {
    private static let path = "/v1/entries/\(Spoken.id)/transcript"
    private static let timed = ["/file?format=srt", "/file?format=vtt", "/file?format=meeting"]
    private static let texts = ["/file?format=txt", "/file?format=md"]

    /// Routes over one sealed entry.
    private static func routes(
        kind: EntryKind = .voice, status: EntryStatus = .transcribed, _ segments: [SpeechSegment]?, damaged: Bool = false,
        hasWords: Bool = true
    ) async throws -> DiaryRoutes {
        var ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let row = Spoken.id.uuid
        let personal = try vault.seal(PersonalPart(title: "A walk", tags: ["river"]), as: .personal, row: row, version: 3)
        let words = hasWords ? MachinePart(raw: "um we swam", clean: "We swam.") : MachinePart()
        let machine = try vault.seal(words, as: .machine, row: row, version: 2)
        var sealed = try segments.map { try vault.seal($0.numbered, as: .segments, row: row, version: 2) }
        if damaged, var bytes = sealed, let last = bytes.popLast() { sealed = bytes + [last ^ 1] }
        ports.entries = OneEntryStore(
            StoredEntry(
                facts: Spoken.facts(kind: kind, status: status), personal: SealedColumn(bytes: personal, version: 3),
                machine: SealedColumn(bytes: machine, version: 2)),
            segments: sealed.map { SealedColumn(bytes: $0, version: 2) }, locale: "en-US")
        return try Stub.routes(ports)
    }

    @Test("each form has its media type, a file name, the entry's version, and is not kept by caches")
    func forms() async throws {
        try await withRoutes(try await Self.routes([Spoken.segment("um we swam")])) { server in
            for (form, type, content) in [
                ("json", "application/json", #""raw":"um we swam""#), ("txt", "text/plain; charset=utf-8", "We swam."),
                ("md", "text/markdown; charset=utf-8", "# A walk\n\nJuly 4, 2026, 9:30 AM (Berlin time)\n\nTags: river\n\nWe swam.\n"),
                ("srt", "application/x-subrip; charset=utf-8", "1\r\n00:00:00,000 --> 00:00:01,400\r\num we swam\r\n\r\n"),
                ("vtt", "text/vtt; charset=utf-8", "WEBVTT\n\n00:00:00.000 --> 00:00:01.400\num we swam\n"),
                ("meeting", "application/json", #"{"version":"1.0","segments":[{"id":""#),
            ] {
                let place = form == "json" ? Self.path : "\(Self.path)/file?format=\(form)"
                let answer = try await server.ask("GET", place, headers: [RouteTests.member])

                #expect(answer.status == 200 && answer.header("content-type") == type, "\(form)")
                #expect(answer.text.contains(content), "\(form)")
                let ending = form == "meeting" ? "json" : form
                #expect(
                    answer.header("content-disposition") == #"attachment; filename="2026-07-04_09-30-00_6c1d2e3f.\#(ending)""#, "\(form)")
                #expect(answer.header("etag") == "\"3\"" && answer.header("cache-control") == "no-store", "\(form)")
            }
        }
    }

    @Test("the forms with a text give the layer that is asked for, nothing where it is missing, and take no other")
    func layers() async throws {
        try await withRoutes(try await Self.routes(nil)) { server in
            for (layer, text) in [("raw", "um we swam"), ("clean", "We swam."), ("edited", ""), ("shown", "We swam.")] {
                let answer = try await server.ask("GET", "\(Self.path)/file?format=txt&layer=\(layer)", headers: [RouteTests.member])
                #expect(answer.status == 200 && answer.text == text, "\(layer)")
            }
            for wrong in ["layer=both", "layer=", "layer=raw&layer=raw"] {
                let answer = try await server.ask("GET", "\(Self.path)/file?format=md&\(wrong)", headers: [RouteTests.member])
                ProblemTests.expectShape(answer, 422, "invalid_fields")
                #expect(answer.pointers == ["query/layer"], "\(wrong)")
            }
            for form in Self.timed {
                let answer = try await server.ask("GET", "\(Self.path)\(form)&layer=raw", headers: [RouteTests.member])
                #expect(answer.pointers == ["query/layer"], "\(form)")
            }
            for form in ["?layer=raw", "/file?layer=raw", "/file?format=json", "/file?format=", "/file?format=txt&format=md"] {
                let answer = try await server.ask("GET", Self.path + form, headers: [RouteTests.member])
                #expect(answer.pointers == [form.hasPrefix("?") ? "query/layer" : "query/format"], "\(form)")
            }
        }
    }

    @Test("silence is a file without cues, in JSON a list without segments")
    func silence() async throws {
        try await withRoutes(try await Self.routes([])) { server in
            for (form, content) in zip(Self.timed, ["", "WEBVTT\n", #"{"version":"1.0","segments":[]}"#]) {
                let answer = try await server.ask("GET", Self.path + form, headers: [RouteTests.member])
                #expect(answer.status == 200 && answer.text == content, "\(form)")
            }
        }
    }

    @Test(
        "without recognised words the timed forms say why, and the others answer with what there is",
        arguments: [
            (EntryKind.voice, EntryStatus.transcribing, "transcript_not_ready"), (.voice, .failed, "transcript_not_ready"),
            (.text, .transcribed, "not_a_voice_entry"),
        ])
    func refused(kind: EntryKind, status: EntryStatus, code: String) async throws {
        try await withRoutes(try await Self.routes(kind: kind, status: status, nil)) { server in
            for form in Self.timed {
                ProblemTests.expectShape(try await server.ask("GET", Self.path + form, headers: [RouteTests.member]), 409, code)
            }
            for form in [""] + Self.texts {
                #expect(try await server.ask("GET", Self.path + form, headers: [RouteTests.member]).status == 200, "\(form)")
            }
        }
    }

    @Test("a recording without any words is not ready in any form")
    func unready() async throws {
        try await withRoutes(try await Self.routes(status: .transcribing, nil, hasWords: false)) { server in
            for form in [""] + Self.texts + Self.timed {
                ProblemTests.expectShape(
                    try await server.ask("GET", Self.path + form, headers: [RouteTests.member]), 409, "transcript_not_ready")
            }
        }
    }

    @Test("segments that were altered where they lie are a damaged entry and no fault of the service")
    func damaged() async throws {
        try await withRoutes(try await Self.routes([Spoken.segment("um we swam")], damaged: true)) { server in
            for form in [""] + Self.timed {
                ProblemTests.expectShape(
                    try await server.ask("GET", Self.path + form, headers: [RouteTests.member]), 409, "entry_damaged")
            }
            #expect(try await server.ask("GET", Self.path + Self.texts[0], headers: [RouteTests.member]).text == "We swam.")
        }
    }

    @Test("an entry that is not the member's has no transcript in any form")
    func missing() async throws {
        try await withRoutes(try await Self.routes([])) { server in
            for form in [""] + Self.texts + Self.timed {
                let other = "/v1/entries/\(EntryID(UUID()))/transcript\(form)"
                ProblemTests.expectShape(try await server.ask("GET", other, headers: [RouteTests.member]), 404, "not_found")
                ProblemTests.expectShape(try await server.ask("GET", Self.path + form), 401, "unauthorized")
            }
        }
    }
}
