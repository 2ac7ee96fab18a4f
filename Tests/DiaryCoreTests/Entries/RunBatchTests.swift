import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import DiaryCore

@Suite("Batches") struct RunBatchTests {
    private final class Ledger: IdempotencyKeyStore {
        struct State {
            var claim: KeyClaim?
            var results: [String]?
            var charged: [Int] = []
            var refunded: [Int] = []
        }
        let state = Mutex(State())

        func known(_ operation: KeyClaim.Operation, keyHash: [UInt8], of member: Member) async throws(DiaryError) -> KnownKey? {
            state.withLock { state in
                state.claim.map { KnownKey(requestHash: $0.requestHash, subject: $0.subject, results: state.results) }
            }
        }
        func begin(_ claim: KeyClaim, by member: Member) async throws(DiaryError) { state.withLock { $0.claim = claim } }
        func finish(_ claim: KeyClaim, results: [String], by member: Member) async throws(DiaryError) {
            state.withLock { $0.results = results }
        }

        func allowance(refusing: Bool = false) -> RunBatch.Allowance {
            RunBatch.Allowance(
                charge: { number async throws(DiaryError) in
                    self.state.withLock { $0.charged.append(number) }
                    if refusing { throw DiaryError(.rateLimited, retryAfter: 9) }
                }, refund: { number async in self.state.withLock { $0.refunded.append(number) } })
        }
    }

    private struct UnavailableRemovals: AudioRemovalStore {
        func removeAudio(
            _ id: EntryID, expecting version: Int64?, keyID: UUID, by member: Member
        ) async throws(DiaryError) -> RemovalOutcome {
            throw DiaryError(.unavailable)
        }
        func forgetAudio(_ entry: EntryID, of owner: Owner) async throws(DiaryError) {}
    }

    private static func text(_ words: String, id: EntryID? = nil) -> BatchOperation {
        .create(
            EntryDraft(
                id: id, idempotencyKey: nil, recordedAt: nil, facts: GivenFacts(kind: .text), personal: PersonalPart(edited: words)))
    }

    private static func ids(_ results: [BatchResult]) -> [EntryID] {
        results.compactMap { if case .created(let started) = $0 { started.entry.facts.id } else { nil } }
    }

    @Test("new entries are charged by number before anything is done, and those that made none are refunded")
    func charges() async throws {
        let (batch, ledger) = (EntryFeature(try .stub()).batch, Ledger())
        let operations = [
            Self.text("a"), .refused(.invalid("/operations/1/op", "is required")), .delete(EntryID(UUID())), Self.text("b"),
        ]

        let (results, replayed) = try await batch.run(
            operations, key: .none, allowance: ledger.allowance(), by: TestTokens.member)

        #expect(results.map(\.status) == [201, 422, 404, 201] && !replayed)
        #expect(ledger.state.withLock { $0.charged == [2] && $0.refunded == [0] })
        await #expect(throws: DiaryError(.rateLimited, retryAfter: 9)) {
            _ = try await batch.run(
                operations, key: .none, allowance: ledger.allowance(refusing: true), by: TestTokens.member)
        }
        #expect(ledger.state.withLock { $0.refunded.count } == 1, "a refusal has charged nothing")
    }

    @Test("a batch that is refused by a limit does not use up its key")
    func refusedWithKey() async throws {
        let ledger = Ledger()
        var ports = try FeaturePorts.stub()
        ports.idempotencyKeys = ledger
        let batch = EntryFeature(ports).batch
        await #expect(throws: DiaryError(.rateLimited, retryAfter: 9)) {
            _ = try await batch.run(
                [Self.text("a"), Self.text("b")], key: RequestKey("k", mayWrite: true), allowance: ledger.allowance(refusing: true),
                by: TestTokens.member)
        }

        let (results, _) = try await batch.run(
            [Self.text("a")], key: RequestKey("k", mayWrite: true), allowance: ledger.allowance(), by: TestTokens.member)

        #expect(results.map(\.status) == [201] && ledger.state.withLock { $0.charged == [2, 1] && $0.refunded == [0] })
    }

    @Test("a batch that breaks off is refunded for what it did not make", arguments: [nil, "k"])
    func brokenOff(key: String?) async throws {
        var ports = try FeaturePorts.stub()
        let ledger = Ledger()
        ports.idempotencyKeys = ledger
        ports.audioRemovals = UnavailableRemovals()
        let batch = EntryFeature(ports).batch

        await #expect(throws: DiaryError(.unavailable)) {
            _ = try await batch.run(
                [Self.text("a"), Self.text("b"), .deleteAudio(Stub.recording.facts.id), Self.text("c")],
                key: key.map { RequestKey($0, mayWrite: true) } ?? .none, allowance: ledger.allowance(), by: TestTokens.member)
        }

        #expect(ledger.state.withLock { $0.charged == [3] && $0.refunded == [1] })
    }

    @Test("with a key a batch that broke off goes on with the same ids, and one that has ended is not run again")
    func keys() async throws {
        let ledger = Ledger()
        var ports = try FeaturePorts.stub()
        ports.idempotencyKeys = ledger
        let batch = EntryFeature(ports).batch
        func run(_ operations: [BatchOperation], mayWrite: Bool = true) async throws -> (results: [BatchResult], replayed: Bool) {
            try await batch.run(
                operations, key: RequestKey("k", mayWrite: mayWrite), allowance: ledger.allowance(), by: TestTokens.member)
        }
        let operations = [Self.text("a"), Self.text("b"), .delete(EntryID(UUID()))]

        let first = try await run(operations)
        ledger.state.withLock { $0.results = nil }
        let resumed = try await run(operations)
        #expect(!first.replayed && !resumed.replayed)
        #expect(Self.ids(first.results).count == 2 && Self.ids(first.results) == Self.ids(resumed.results))
        #expect(ledger.state.withLock { $0.results } == ["201", "201", "not_found"])

        let charged = ledger.state.withLock { $0.charged.count }
        let repeated = try await run(operations, mayWrite: false)
        #expect(repeated.replayed && repeated.results.map(\.status) == [410, 410, 404], "the stub holds no entry")
        #expect(ledger.state.withLock { $0.charged.count } == charged)
        await #expect(throws: DiaryError.keyReused) { _ = try await run([Self.text("a"), Self.text("c"), operations[2]]) }
        await #expect(throws: DiaryError.keyReused) { _ = try await run(Array(operations.reversed())) }
    }

    @Test("tags are added once, in order, removed, and bounded; what is there already is not written")
    func tags() async throws {
        var ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let id = Stub.recording.facts.id
        let sealed = try vault.seal(PersonalPart(title: "Walk", tags: ["a", "b"]), as: .personal, row: id.uuid, version: 1)
        let store = OneEntryStore(
            StoredEntry(facts: Stub.recording.facts, personal: SealedColumn(bytes: sealed, version: 1), machine: nil))
        ports.entries = store
        let batch = EntryFeature(ports).batch
        let many = (0..<19).map { "t\($0)" }

        let (results, _) = try await batch.run(
            [
                .tag(id, add: ["b"], remove: ["x"]), .tag(id, add: ["c", "a"], remove: ["b"]), .tag(id, add: many, remove: []),
                .tag(EntryID(UUID()), add: ["a"], remove: []),
            ], key: .none, allowance: Ledger().allowance(), by: TestTokens.member)

        #expect(results.map(\.status) == [200, 200, 422, 404])
        #expect(store.stored.version == 2)
        guard case .changed(let entry) = results[1] else { throw DiaryError(.internalError) }
        #expect(entry.personal.tags == ["a", "c"] && entry.personal.title == "Walk")
    }
}
