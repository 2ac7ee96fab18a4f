import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import DiaryCore

@Suite("Repeated writes") struct IdempotentWritesTests {
    /// Keys in memory, stored by the tests' writes.
    private final class Keys: IdempotencyKeyStore {
        let claims = Mutex<[KeyClaim]>([])

        func known(_ operation: KeyClaim.Operation, keyHash: [UInt8], of member: Member) async throws(DiaryError) -> KnownKey? {
            claims.withLock { claims in
                claims.first { $0.operation == operation && $0.keyHash == keyHash }
                    .map { KnownKey(requestHash: $0.requestHash, subject: $0.subject) }
            }
        }
        func begin(_ claim: KeyClaim, by member: Member) async throws(DiaryError) {}
        func finish(_ claim: KeyClaim, results: [String], by member: Member) async throws(DiaryError) {}
    }

    private final class Scene: Sendable {
        let keys = Keys()
        let serviceKeys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 3, count: 32)))
        let written = Mutex(0)

        /// A write that stores its key, unless it is refused.
        func run(
            _ key: RequestKey, request: [String?] = ["a"], operation: KeyClaim.Operation = .reprocess, refusal: DiaryError? = nil,
            whileAnother meanwhile: Bool = false
        ) async throws(DiaryError) -> String {
            let writes = IdempotentWrites(store: keys, serviceKeys: serviceKeys)
            let (value, replayed) = try await writes.run(
                operation, key, request: request, subject: Stub.export.id.uuid, by: TestTokens.member
            ) { claim throws(DiaryError) in
                if let claim, refusal == nil || meanwhile { keys.claims.withLock { $0.append(claim) } }
                if let refusal { throw refusal }
                return "written \(written.withLock { written in written += 1; return written })"
            } replay: { known throws(DiaryError) in
                known.subject == Stub.export.id.uuid ? "repeated" : "another's"
            }
            #expect(replayed == (value == "repeated"))
            return value
        }
    }

    @Test("the same request with the same key is written once and answered again; without a key it is written again")
    func once() async throws {
        let scene = Scene()

        #expect(try await scene.run(RequestKey("k")) == "written 1")
        #expect(try await scene.run(RequestKey("k")) == "repeated")
        #expect(try await scene.run(RequestKey("k2")) == "written 2")
        #expect(try await scene.run(RequestKey("k"), operation: .exportMail) == "written 3")
        #expect(try await scene.run(.none) == "written 4")
        #expect(try await scene.run(.none) == "written 5")
    }

    @Test("a key of another request is refused, and writes nothing")
    func mismatch() async throws {
        let scene = Scene()
        _ = try await scene.run(RequestKey("k"))

        for request in [["b"], ["a", nil], [], ["a", ""]] as [[String?]] {
            await #expect(throws: DiaryError.keyReused) { try await scene.run(RequestKey("k"), request: request) }
        }
        #expect(scene.written.withLock { $0 } == 1)
    }

    @Test("over the limits an earlier answer is repeated, and nothing is written")
    func limits() async throws {
        let scene = Scene()
        _ = try await scene.run(RequestKey("k"))

        #expect(try await scene.run(RequestKey("k", mayWrite: false)) == "repeated")
        for key in [RequestKey("new", mayWrite: false), RequestKey(nil, mayWrite: false)] {
            await #expect(throws: DiaryError(.rateLimited)) { try await scene.run(key) }
        }
        #expect(scene.written.withLock { $0 } == 1)
    }

    @Test("a refused request leaves its key free; one that another request overtook is answered as its repetition")
    func refused() async throws {
        let scene = Scene()

        await #expect(throws: DiaryError(.reprocessNotPossible)) {
            try await scene.run(RequestKey("k"), refusal: DiaryError(.reprocessNotPossible))
        }
        #expect(try await scene.run(RequestKey("k")) == "written 1")
        #expect(
            try await scene.run(RequestKey("late"), refusal: DiaryError(.concurrentChange), whileAnother: true) == "repeated")
        let down = DiaryError(.unavailable)
        await #expect(throws: down) {
            try await scene.run(RequestKey("down"), refusal: down, whileAnother: true)
        }
    }
}
