import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("Tags and moods that filters compare") struct EntryLabelTests {
    @Test(
        "case, composition and white space at the ends do not count",
        arguments: [
            ("summer", "SUMMER"), ("Café", "CAFE\u{301}"), (" lake\n", "lake"), ("Straße", "STRASSE"), ("straẞe", "strasse"),
            ("ΟΔΟΣ", "οδος"), ("οδός", "ΟΔΌΣ"), ("\u{212B}", "å"), ("", "  "),
        ])
    func same(first: String, second: String) {
        #expect(EntryLabel(.tag, first) == EntryLabel(.tag, second))
        #expect(Array(EntryLabel(.tag, first).text.utf8) == Array(EntryLabel(.tag, second).text.utf8))
    }

    @Test("of tags that a filter takes for the same the first spelling is kept, without white space at the ends")
    func tidied() {
        #expect(PersonalPart.tidied([" Lake\n", "sun", "LAKE", "", " \t", "Café", "cafe\u{301}"]) == ["Lake", "sun", "Café"])
        #expect(PersonalPart.tidied(["a b", "ab"]) == ["a b", "ab"])
    }

    @Test("other words, accents and kinds are others")
    func others() {
        #expect(EntryLabel(.tag, "summer") != EntryLabel(.tag, "summers"))
        #expect(EntryLabel(.tag, "cafe") != EntryLabel(.tag, "café"))
        #expect(EntryLabel(.tag, "a b") != EntryLabel(.tag, "ab"))
        #expect(EntryLabel(.tag, "calm") != EntryLabel(.mood, "calm"))
    }

    @Test("hashes are those of docs/sealed-format.md, sorted, once each")
    func golden() throws {
        let key = DataKey(id: try #require(UUID(uuidString: "0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4051")), secret: SecretBytes(Array(0..<32)))
        let vault = Vault(key: key, owner: Stub.owner)

        #expect(vault.hashes(of: PersonalPart(title: "Lake").labels) == [])
        #expect(vault.hashes(of: PersonalPart(tags: ["Café", "cafe\u{301}"]).labels) == [7_246_372_333_063_421_472])
        #expect(vault.hashes(of: PersonalPart(mood: "Calm").labels) == [-867_653_388_538_707_455])
        #expect(
            vault.hashes(of: PersonalPart(tags: ["CAFÉ"], mood: "calm").labels) == [-867_653_388_538_707_455, 7_246_372_333_063_421_472])
    }

    @Test("metadata is found as it is, and the two lowest bits of a hash tell the kind")
    func metadata() {
        let vault = Vault(key: .generate(), owner: Stub.owner)
        var part = PersonalPart(tags: ["42"], mood: "42")
        part.metadata["cue_id"] = "42"

        #expect(part.labels.contains(.metadata("cue_id", "42")) && part.labels.count == 3)
        for other in [
            EntryLabel.metadata("cue_id", "420"), .metadata("Cue_id", "42"), .metadata("cue", "_id42"), .metadata("cue_id", " 42"),
        ] {
            #expect(!part.labels.contains(other))
        }
        #expect(Set(vault.hashes(of: part.labels).map { $0 & 3 }) == [0, 1, 2])
        for kind in [EntryLabel.Kind.tag, .mood, .metadata] {
            #expect(vault.hashes(of: [EntryLabel(kind, "x")]).map { $0 & 3 } == [kind.mark])
        }
    }

    @Test("each person has hashes of their own")
    func apart() {
        let labels: Set<EntryLabel> = [EntryLabel(.tag, "summer")]
        let (one, two) = (Vault(key: .generate(), owner: Stub.owner), Vault(key: .generate(), owner: Stub.owner))

        #expect(one.hashes(of: labels) != two.hashes(of: labels))
    }
}
