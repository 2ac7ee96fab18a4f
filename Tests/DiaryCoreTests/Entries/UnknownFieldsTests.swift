import DiaryCrypto
import DiaryTesting
import Testing

@testable import DiaryCore

/// Sealed parts that a later version has written, with fields that this one does not know.
@Suite("Unknown fields of sealed parts") struct UnknownFieldsTests {
    private static func field(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] { [tag, 0, 0, 0, UInt8(value.count)] + value }
    private static func field(_ tag: UInt8, _ text: String) -> [UInt8] { field(tag, Array(text.utf8)) }

    private static func personal(_ plain: [UInt8]) -> PersonalPart? { PersonalPart(plain: plain.span) }
    private static func machine(_ plain: [UInt8]) -> MachinePart? { MachinePart(plain: plain.span) }

    /// Not UTF-8.
    private static let colour = field(99, [0xFF, 0x00, 0x7F])

    @Test("a part with unknown tags is read, and written as it was, byte for byte")
    func unchanged() throws {
        let plain =
            [1] + Self.colour + Self.field(1, "Walk") + Self.field(97, "pinned") + Self.field(98, "") + Self.field(2, "By the lake")
            + Self.field(4, "sea") + Self.colour + Self.field(4, "sun") + Self.field(200, "last")

        let part = try #require(Self.personal(plain))

        #expect(part.title == "Walk" && part.edited == "By the lake" && part.mood == nil && part.tags == ["sea", "sun"])
        #expect(part.plainBytes == plain)
        let machine =
            [1] + Self.field(1, "raw") + Self.field(99, "later") + Self.field(2, "clean") + Self.field(3, "941") + Self.field(100, "last")
        #expect(Self.machine(machine)?.plainBytes == machine)
    }

    @Test("unknown fields stay behind the field that they followed when known ones are changed, cleared or added")
    func changed() throws {
        let plain =
            [1] + Self.field(1, "Walk") + Self.field(97, "pinned") + Self.field(4, "sea") + Self.colour + Self.field(4, "sun")
            + Self.field(98, "end")
        var part = try #require(Self.personal(plain))

        part.title = nil
        part.mood = "calm"
        part.tags = ["sea"]

        let expected = [1] + Self.field(97, "pinned") + Self.field(3, "calm") + Self.field(4, "sea") + Self.colour + Self.field(98, "end")
        #expect(part.plainBytes == expected)
        #expect(Self.personal(expected)?.plainBytes == expected)
    }

    @Test("what became of a cleaned text is read as it was written, also a reason of a later version, and a score that is none is left out")
    func cleanup() {
        for part in [
            MachinePart(raw: "a", clean: "A.", cleanup: Cleanup(thousandths: 970)),
            MachinePart(raw: "a", cleanup: Cleanup(thousandths: 0, reason: .init(rawValue: "too_polite"))),
        ] {
            #expect(Self.machine(part.plainBytes) == part)
        }
        #expect(Self.machine([1] + Self.field(1, "a") + Self.field(3, "much"))?.cleanup == nil)
        #expect(Self.machine([1] + Self.field(3, "99999"))?.cleanup?.score == 1)
    }

    @Test("bytes that end within an unknown field are damaged")
    func cut() {
        let plain = [1] + Self.field(1, "Walk") + Self.colour
        for count in [plain.count - 1, plain.count - 3, plain.count - 7] {
            #expect(Self.personal(Array(plain.prefix(count))) == nil)
        }
    }

    @Test("an edit keeps them in the sealed part")
    func edited() async throws {
        let ring = try #require(Stub.keyRing)
        let keys = DataKeys(store: FixedKeyStore(ring: ring), ring: ring)
        let vault = try await keys.vault(of: TestTokens.member)
        let id = Stub.recording.facts.id
        let plain = [1] + Self.field(1, "Walk") + Self.colour + Self.field(4, "sea") + Self.field(50, "later")
        let sealed = try vault.seal(plain, .personal, row: id.uuid, version: 4)
        let store = OneEntryStore(
            StoredEntry(facts: Stub.recording.facts, personal: SealedColumn(bytes: sealed, version: 4), machine: nil))
        var patch = EntryPatch.unchanged
        patch[.title] = .set("Swim")

        let outcome = try await EditEntry(entries: store, keys: keys, tenants: StubTenants([]), jobSignals: NoJobSignals()).run(
            id, patch, matching: .exactly(4), by: TestTokens.member)

        guard case .written(let entry) = outcome else {
            Issue.record("not written")
            return
        }
        #expect(entry.personal.title == "Swim" && entry.version == 5)
        let written = try #require(store.stored.personal)
        #expect(
            try vault.open(written.bytes, .personal, row: id.uuid, version: 5)
                == [1] + Self.field(1, "Swim") + Self.colour + Self.field(4, "sea") + Self.field(50, "later"))
    }
}
