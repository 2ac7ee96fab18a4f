import DiaryCrypto
import DiaryTesting
import Testing
import WireFormats

@testable import DiaryCore

/// A retry may reach another version of the service than the request did: the hashes of requests are part of the format of stored data.
@Suite("Hashes of requests") struct RequestHashTests {
    private static let keys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 3, count: 32)))

    private static func hash(_ draft: EntryDraft) -> String { Hex.encode(draft.requestHash(keys)) }

    private static func text(_ words: String = "By the lake") -> EntryDraft {
        EntryDraft(
            id: nil, idempotencyKey: nil, recordedAt: nil, facts: GivenFacts(kind: .text), personal: PersonalPart(edited: words))
    }

    private static func export(audio: Bool = true, email: String? = nil, mail: Bool? = nil) throws -> String {
        let days = try (#require(CalendarDay("2026-07-01")), #require(CalendarDay("2026-07-31")))
        let form = RequestExport.Form(
            selection: RequestedSelection(.days(days.0, days.1)), contents: ExportContents(includeAudio: audio),
            email: email.flatMap { MailAddress($0) }, mail: mail, idempotencyKey: nil)
        return Hex.encode(form.requestHash(keys))
    }

    @Test("a request has the hash that every version gives it, whatever members were added since")
    func golden() throws {
        var voice = Self.text()
        voice.id = EntryID("019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f")
        voice.facts.kind = .voice
        voice.recordedAt = Stub.now
        voice.facts.timeZone = "Europe/Berlin"
        voice.facts.durationSeconds = 12.5
        voice.facts.sizeBytes = 48_000
        voice.facts.contentType = "audio/mp4"
        voice.facts.sha256 = [UInt8](repeating: 0xAB, count: 32)
        voice.facts.language = "de"
        voice.personal = PersonalPart(title: "Walk", tags: ["sea", "sun"], mood: "calm")

        #expect(Self.hash(Self.text()) == "bdee8efdb74275f54aa17480ce754e70f9682bf87f21c4e317700f9e345735f0")
        #expect(Self.hash(voice) == "135f4f8a39d207dd489d7e42eda43ed4e55241c629f3481fd0d7d6379f9dc71d")
        #expect(try Self.export() == "4713ceea654f12ae811395e3acfc724e531aacdde6cbd40ce208f470930a9636")
        #expect(
            try Self.export(audio: false, email: "Anna@example.org", mail: true)
                == "503ac3221db598953a9d46597676148347e90dcad34072f725a7325ec95e9902")
    }

    @Test("the key is not part of the hash, every member is")
    func members() throws {
        var keyed = Self.text()
        keyed.idempotencyKey = "k"
        #expect(Self.hash(keyed) == Self.hash(Self.text()))
        #expect(Self.hash(Self.text("other")) != Self.hash(Self.text()))
        var (favorite, kept) = (Self.text(), Self.text())
        (favorite.facts.favorite, kept.facts.keepAudio) = (true, true)
        #expect(Set([Self.text(), favorite, kept].map(Self.hash)).count == 3)
        let written = PersonalText.all.map { text in
            var draft = Self.text()
            draft.personal[text] = "calm"
            return Self.hash(draft)
        }
        #expect(Set(written + [Self.hash(Self.text())]).count == PersonalText.all.count + 1)
        let filed = [("cue", "1"), ("cue", "2"), ("cues", "1")].map { key, value in
            var draft = Self.text()
            draft.personal.metadata[key] = value
            return Self.hash(draft)
        }
        #expect(Set(filed + [Self.hash(Self.text())]).count == 4)
        #expect(Set([try Self.export(), try Self.export(mail: true), try Self.export(mail: false)]).count == 3)
    }

    @Test("an export's contents and selection are in its hash, and what is usual is as if it were left out")
    func exports() throws {
        let days = try (#require(CalendarDay("2026-07-01")), #require(CalendarDay("2026-07-31")))
        let entry = try #require(EntryID("019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f"))
        func hash(_ change: (inout RequestExport.Form) -> Void) -> String {
            var form = RequestExport.Form(
                selection: RequestedSelection(.days(days.0, days.1)), contents: ExportContents(), email: nil, mail: nil,
                idempotencyKey: nil)
            change(&form)
            return Hex.encode(form.requestHash(Self.keys))
        }
        let usual = hash { $0.contents = ExportContents(includeAudio: true, formats: [.txt], layer: .shown) }
        let others = [
            hash { $0.contents.formats = [] },
            hash { $0.contents.formats = [.txt, .md] },
            hash { $0.contents.layer = .raw },
            hash { $0.selection.tags = ["sea", "sun"] },
            hash { $0.selection.tags = ["sea sun"] },
            hash { $0.selection.tags = ["sea"] },
            hash { $0.selection.kind = .voice },
            hash { $0.selection.since = ExportID(entry.uuid) },
            hash { $0.selection = RequestedSelection(.entries([entry])) },
            hash { $0.selection = RequestedSelection(.entries([entry, EntryID(UUIDv7.make())])) },
        ]

        #expect(try usual == Self.export())
        #expect(Set(others + [usual]).count == others.count + 1)
    }

    @Test("a member that came later is named, and leaves no trace where it is absent")
    func later() {
        func bytes(_ write: (inout CanonicalBytes) -> Void) -> [UInt8] {
            var canon = CanonicalBytes()
            canon.add("first")
            write(&canon)
            return canon.bytes
        }
        let without = bytes { _ in }

        #expect(bytes { $0.add("added", nil) } == without)
        #expect(bytes { $0.add("added", "") } != without)
        // Neither another name nor an element of a list at the end of the first version's members looks the same.
        #expect(bytes { $0.add("added", "x") } != bytes { $0.add("other", "x") })
        #expect(
            bytes { $0.add("added", "x") }
                != bytes {
                    $0.add("added")
                    $0.add("x")
                })
    }
}
