import FoundationEssentials
import Testing
import WireFormats

@testable import DiaryCore

@Suite("What an app keeps with an entry") struct EntryMetadataTests {
    @Test("pairs are sorted by key, sealed and read again, and an empty value takes one away")
    func pairs() throws {
        var part = PersonalPart(title: "Walk", tags: ["sea"])
        part.metadata["cue_id"] = "42"
        part.metadata["a.b-c"] = "x=\u{1F33F}\n"
        part.metadata["Z"] = "1"

        #expect(part.metadata.pairs.map(\.key) == ["Z", "a.b-c", "cue_id"])
        #expect(PersonalPart(plain: part.plainBytes.span) == part)

        try part.metadata.apply([.init(key: "Z", value: nil), .init(key: "cue_id", value: ""), .init(key: "a.b-c", value: "y")])
        #expect(part.metadata.pairs.map(\.value) == ["y"])
        let json = JSONWriter.object { $0.member("metadata", part.metadata) }
        #expect(String(decoding: json, as: UTF8.self) == #"{"metadata":{"a.b-c":"y"}}"#)
    }

    @Test("an entry has at most twenty pairs, which may all be replaced at once")
    func limit() throws {
        var metadata = EntryMetadata()
        let (old, new) = ((1...20).map { "old\($0)" }, (1...20).map { "new\($0)" })
        try metadata.apply(old.map { EntryMetadata.Change(key: $0, value: "x") })
        try metadata.apply(new.map { EntryMetadata.Change(key: $0, value: "x") } + old.map { EntryMetadata.Change(key: $0, value: nil) })
        #expect(metadata.pairs.count == 20)
        #expect(throws: DiaryError.self) { try metadata.apply([.init(key: "one more", value: "x")]) }
    }

    @Test("a key is what a query has without escapes")
    func keys() {
        for key in ["a", "cue_id", "x-1.Y", String(repeating: "k", count: 40)] { #expect(EntryMetadata.isKey(key)) }
        for key in ["", "cue id", "é", "a[b]", "a=b", "a\0", String(repeating: "k", count: 41)] { #expect(!EntryMetadata.isKey(key)) }
    }

    @Test(
        "a file's name tells when it was recorded",
        arguments: [
            ("toukan_2024-01-15T14-30-00.m4a", "2024-01-15T14:30:00.000Z", false),
            ("2024-01-15T14:30:00Z", "2024-01-15T14:30:00.000Z", true),
            ("a 2024-02-29T23_59_59.wav", "2024-02-29T23:59:59.000Z", false),
        ])
    func times(name: String, clock: String, isUTC: Bool) throws {
        let time = try #require(FileNameTime.read(name))
        #expect(RFC3339.text(time.wallClock) == clock && time.isUTC == isUTC)
    }

    @Test(
        "other names tell nothing",
        arguments: [
            "", "memo.m4a", "2024-01-15.m4a", "2023-02-29T10-00-00.m4a", "2024-01-15T25-00-00", "12024-01-15T14-30-00",
            "1024-01-15T14-30-00",
        ])
    func noTimes(name: String) { #expect(FileNameTime.read(name) == nil) }
}
