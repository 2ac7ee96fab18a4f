import DiaryCrypto
import DiaryTesting
import Foundation
import Testing
import WireFormats
import ZipArchive

@testable import DiaryCore
@testable import DiaryWorker

@Suite("The page of an export", .timeLimit(.minutes(1)))
struct ExportIndexTests {
    static func page(
        _ entries: [(EntryFacts, PersonalPart)], part: ExportPartNumber = .only, locale: String? = nil, in language: WrittenLanguage = .en,
        machine: MachinePart = MachinePart(), segments: [SpeechSegment]? = nil, files: [ExportFileFacts] = [], gaps: [ExportGap] = [],
        brand: AppBrand = AppBrand()
    ) throws -> String {
        let context = ExportContext(
            export: try ExportTests.export(), locale: locale, language: language, brand: brand, publicURL: "https://diary.example",
            now: .now)
        let file = try UnlinkedTempFile(folder: FileManager.default.temporaryDirectory.path)
        var index = ExportIndex(context)
        for (facts, personal) in entries {
            let entry = Entry(facts: facts, personal: personal, machine: machine, version: 1)
            let exported = ExportedEntry(
                transcript: Transcript(entry: entry, segments: segments), recording: nil, copy: nil, run: EntryRun(), uploadedAt: nil,
                versions: .init(), waveform: nil, revisions: [])
            let article = Array(index.article.html(exported, files: files, gaps: gaps).utf8)
            let offset = try file.append(article)
            index.add(facts, hasRecording: facts.kind == .voice, offset: offset, length: Int64(article.count))
        }
        let composed = ComposedFile(index.pieces(part: part), of: file)
        return String(decoding: try all(composed), as: UTF8.self)
    }

    private static func all(_ file: ComposedFile) throws -> [UInt8] {
        var read: [UInt8] = []
        while true {
            let bytes = try file.read(max: 4_096)
            if bytes.isEmpty { return read }
            read += bytes
        }
    }

    static func time(_ month: Int, _ day: Int, _ hour: Int) -> LocalTime {
        LocalTime(year: 2026, month: month, day: day, hour: hour, minute: 5, second: 0)
    }

    static func segment(_ text: String, by speaker: String) -> SpeechSegment {
        SpeechSegment(start: 0, end: 1, words: [TimedWord(text: text, start: 0, end: 1, confidence: 1)], speaker: speaker)
    }

    @Test("days come in order, each once, although entries of several zones come by time")
    func days() throws {
        let page = try Self.page([
            (.make(.text, local: Self.time(3, 8, 1)), PersonalPart(edited: "first in Auckland")),
            (.make(.text, local: Self.time(3, 7, 22)), PersonalPart(edited: "second in Berlin")),
            (.make(.text, local: Self.time(3, 8, 2)), PersonalPart(edited: "third in Auckland")),
            (.make(.text, local: Self.time(2, 28, 9)), PersonalPart(edited: "fourth, long before")),
        ])

        #expect(
            page.matches(of: /<h[123][^>]*>([^<]+)</).map { String($0.output.1) } == [
                "Diary, 1 to 31 March 2026", "February 2026", "28 February 2026", "March 2026", "7 March 2026", "8 March 2026",
            ])
        let words = ["fourth", "second", "first", "third"]
        let places = words.compactMap { page.firstRange(of: $0)?.lowerBound }
        #expect(places.count == 4 && places == places.sorted())
        #expect(page.contains(#"<nav aria-label="Months">"#))
    }

    @Test("dates and clocks are those of the account's locale, and a later part says which it is")
    func readable() throws {
        let page = try Self.page(
            [(.make(.text, local: Self.time(3, 7, 21)), PersonalPart(edited: "x"))], part: ExportPartNumber(number: 2, count: 3),
            locale: "en-US")

        #expect(page.contains("<h3 id=\"d20260307\">March 7, 2026</h3>") && page.contains(">9:05 PM</time>"))
        #expect(page.contains("<title>Diary, March 1 to 31, 2026, part 2</title>") && page.contains("part 2 of 3"))
    }

    @Test("its head has the app's name and color, and no logo, which would be fetched")
    func brand() throws {
        let page = try Self.page([], brand: AppBrand(name: "My <Day>", color: "#ffee00", logo: "https://my-day.example/l.png"))

        #expect(page.contains("<title>Diary, 1 to 31 March 2026 · My &lt;Day&gt;</title>"))
        #expect(page.contains("<p class=\"brand\"><bdi>My &lt;Day&gt;</bdi></p>") && page.contains(":root { --brand: #ffee00; }"))
        #expect(!page.contains("my-day.example"))
    }

    @Test("nothing that an entry holds becomes markup (E8)", arguments: WrittenLanguage.allCases)
    func escaped(language: WrittenLanguage) throws {
        let hostile = "</div><script>alert(1)</script><img src=x onerror=\"alert(1)\"> & '\u{0}\u{8}\u{FFFE}\r\na\rb"
        var machine = MachinePart(clean: hostile)
        (machine.summary, machine.keyPoints) = (hostile, [hostile])
        let page = try Self.page(
            [(.make(.text, language: "en\"><i>"), PersonalPart(title: hostile, edited: hostile, tags: [hostile], mood: hostile))],
            in: language, machine: machine, segments: [hostile, "B"].map { Self.segment(hostile, by: $0) },
            files: [ExportFileFacts(path: hostile, role: .audio, size: 1, sha256: "")])

        #expect(page.matches(of: /<script/).count == 1 && !page.contains("<img") && !page.contains("<i>"))
        #expect(
            page.contains(
                "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;\u{FFFD}\u{FFFD}\u{FFFD}\na\nb"
            ))
    }

    @Test("its policy allows its own style and script by digest, recordings beside it, and nothing else")
    func policy() throws {
        let page = try Self.page([])
        func digest(_ name: String) throws -> String {
            let start = try #require(page.firstRange(of: "<\(name)>")).upperBound
            let end = try #require(page.firstRange(of: "</\(name)>")).lowerBound
            return "'sha256-\(Base64.encode(SHA256.digest(Array(page[start..<end].utf8))))'"
        }

        #expect(
            page.contains(
                "content=\"default-src 'none'; style-src \(try digest("style")); script-src \(try digest("script")); media-src 'self' file:; img-src data:; base-uri 'none'; form-action 'none'\""
            ))
        #expect(page.contains("There are no entries in these days."))
    }
}
