import DiaryTesting
import Foundation
import Testing

@testable import DiaryCore
@testable import DiaryWorker

@Suite("Languages of an export's page", .timeLimit(.minutes(1)))
struct ExportIndexWordsTests {
    /// By the key, and by that of a plural's forms.
    private static func texts(_ language: WrittenLanguage) -> [String: String] {
        let words = ExportIndexWords(language)
        return ExportIndexWord.allCases.reduce(into: [:]) { texts, key in
            let forms = words.list(key)
            if forms.count == 2 {
                (texts["\(key).one"], texts["\(key).other"]) = (forms[0], forms[1])
            } else {
                texts["\(key)"] = words[key]
            }
        }
    }

    @Test("every language has every text, in words of its own and with the same values", arguments: WrittenLanguage.allCases)
    func complete(language: WrittenLanguage) {
        let (texts, english) = (Self.texts(language), Self.texts(.en))

        #expect(texts.count == english.count && texts.count > 30)
        let keys = LanguageFile.of(language).sections[ExportIndexWord.section, default: [:]].keys
        #expect(Set(keys) == Set(ExportIndexWord.allCases.map(\.rawValue)))
        for (name, text) in texts {
            #expect(!text.isEmpty && text.first?.isWhitespace == false && text.last?.isWhitespace == false, "\(name)")
            // French counts with its singular: 0 and 1.
            let hasValue = name.hasSuffix(".one") ? text.contains(/[1#]/) : text.count { $0 == "#" } == english[name]?.count { $0 == "#" }
            #expect(hasValue, "\(name): \(text)")
        }
        let same = Set(texts.filter { english[$0.key] == $0.value }.keys)
        #expect(language == .en || same.isSubset(of: ["tags", "index"]), "\(same)")
    }

    /// A page with all that it can say: of two months, of the second of three parts.
    private static func whole(_ language: WrittenLanguage) throws -> String {
        var machine = MachinePart(clean: "Sea.")
        (machine.summary, machine.keyPoints) = ("Swimming.", ["Sea."])
        let roles: [ExportFileFacts.Role] = [.audio, .txt, .md, .srt, .transcript_json, .metadata_json, .index]
        let gaps: [ExportGap] = [
            ExportGap(.audio, .removed), ExportGap(.audio, .refused), ExportGap(.audio, .notArrived), ExportGap(.personal, .damaged),
            ExportGap(.segments, .damaged), ExportGap(.txt, .noTranscript), ExportGap(.md, .layerMissing),
            ExportGap(.audio, .damaged), ExportGap(.audio, .missing), ExportGap(.audio, .onDevice),
        ]
        var noted = PersonalPart(tags: ["mar"], mood: "calma")
        noted.notes = [EntryNote(id: NoteID(UUID()), text: "Mar.", at: nil, createdAt: Date(timeIntervalSince1970: 0))]
        return try ExportIndexTests.page(
            [
                (.make(local: ExportIndexTests.time(3, 1, 21), language: "pt", favorite: true), noted),
                (.make(.text, local: ExportIndexTests.time(2, 28, 9), language: "pt"), PersonalPart(title: "Praia", edited: "Sol.")),
            ], part: ExportPartNumber(number: 2, count: 3), locale: "\(language.rawValue)-CH", in: language, machine: machine,
            segments: ["A", "B"].map { ExportIndexTests.segment("Sea.", by: $0) },
            files: roles.map { ExportFileFacts(path: "x/\($0)", role: $0, size: 1, sha256: "") }, gaps: gaps)
    }

    @Test("the page says each of them, escaped, and leaves no value open", arguments: WrittenLanguage.allCases)
    func everything(language: WrittenLanguage) throws {
        let page = try Self.whole(language)
        // What the page says, without its style, its script and what the script fills in.
        let body = try #require(page.firstRange(of: "<body>").map { page[$0.lowerBound...] })
        let said = try #require(body.firstRange(of: "<script>").map { body[..<$0.lowerBound] })
            .replacing(#/ data-[a-z]+="[^"]*"/#, with: "").replacing(#/ href="[^"]*"/#, with: "").replacing("&#39;", with: "")

        #expect(page.contains("<html lang=\"\(language.rawValue)\">"))
        #expect(!said.contains("#"))
        // Not of this page: of one without entries, and of one with more recordings.
        let others = ["empty", "recordings.other"]
        for (name, text) in Self.texts(language) where !others.contains(name) {
            for piece in text.split(separator: "#") {
                #expect(page.contains(HTMLText.escaped(String(piece))), "\(name): \(piece)")
            }
        }
        if language != .en {
            #expect(!said.contains(/\b(Diary|of|March|February|Files|Search|recording|Recording|Summary)\b/))
        }
        #expect(body.contains(#/data-none="[^"\#]+" data-one="1 [^"\#]+" data-other="\# [^"\#]+"/#), "what the script says of a search")
    }

    @Test("days, clocks, zones and plural forms are the language's; the diary's own words keep theirs")
    func readable() throws {
        let german = try Self.whole(.de)
        #expect(german.contains("<title>Tagebuch, 1. bis 31. März 2026, Teil 2</title>"))
        #expect(german.contains("<h1>Tagebuch, 1. bis 31. März 2026</h1>"))
        #expect(german.contains("<p>2 Einträge · 1 Aufnahme · Teil 2 von 3</p>") && german.contains("<summary>1 Eintrag</summary>"))
        #expect(german.contains(">Februar 2026</h2>") && german.contains(">1. März 2026</h3>") && german.contains(">21:05</time>"))
        #expect(german.contains("aria-label=\"Aufnahme vom 1. März 2026, 21:05\"") && german.contains("Stimmung: <bdi>calma</bdi>"))
        #expect(german.contains("(Zeit in Berlin)</p>") && german.contains("<nav aria-label=\"Monate\">"))
        #expect(
            german.contains("<bdi lang=\"pt\">Praia</bdi>") && german.contains("<div class=\"words\" lang=\"pt\" dir=\"auto\">Sol.</div>"))
        #expect(!german.contains(/<article[^>]* lang=/))

        let (french, spanish) = (try Self.whole(.fr), try Self.whole(.es))
        #expect(french.contains("<h1>Journal, 1er au 31 mars 2026</h1>") && french.contains("Enregistrement du 1er mars 2026, 21:05"))
        #expect(french.contains("Humeur\u{202F}: <bdi>") && french.contains("Exporté le "))
        #expect(spanish.contains("<h1>Diario, 1 al 31 de marzo de 2026</h1>") && spanish.contains(">febrero de 2026</h2>"))
        #expect(try ExportIndexTests.page([], in: .fr).contains("<p>0 entrée</p>"))
        #expect(try ExportIndexTests.page([], in: .de).contains("<p>In diesen Tagen gibt es keine Einträge.</p>"))
    }

    @Test("the page is in the account's language, else in the app's, else in English")
    func chosen() async throws {
        #expect(WrittenLanguage.of(account: "de-AT", app: "fr") == .de)
        #expect(WrittenLanguage.of(account: "it-IT", app: "es-MX") == .es)
        #expect(WrittenLanguage.of(account: nil, app: "ja") == .en && WrittenLanguage.of(account: "", app: nil) == .en)

        let person = try await Person()
        var app = TenantConfiguration()
        try app.set("mail.locale", to: "fr-CA")
        let tenant = Tenant(
            id: person.owner.tenant, slug: "diary", name: "Diary", mailFromName: "Diary", mailFromAddress: "diary@diary.example",
            createdAt: .now, suspendedAt: nil, configuration: app)
        for (locale, language) in [("de-AT", "de"), (nil, "fr")] as [(String?, String)] {
            let (store, objects) = (ScriptedJobStore(), MemoryObjects(sealedBy: person.vault.key))
            store.put(try ExportTests.export(), try ExportTests.profile(person, locale: locale), pages: [])

            let zip = try await ExportTests.read(try await ExportTests.build(person, store, objects, apps: [tenant]))

            #expect(zip.texts["index.html"]?.contains("<html lang=\"\(language)\">") == true)
        }
    }
}
