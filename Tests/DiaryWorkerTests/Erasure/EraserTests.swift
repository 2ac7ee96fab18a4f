import DiaryCore
import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import DiaryWorker

/// The order in which a deletion is carried out, and that it may stop anywhere (G4, G5).
@Suite("The eraser")
struct EraserTests {
    /// What happened, in order; a step can be made to fail once.
    private final class Steps: DeletionStore, KeyStore, RateForgetting {
        let log = Shared<[String]>([])
        let failing = Shared<String?>(nil)
        let waiting = Shared<[LeasedDeletion]>([])
        let sessions = Shared(1)
        let entries = Shared(2_500)
        let owner = Shared<Owner?>(nil)
        /// What each claim left out.
        let asides = Shared<[Set<DeletionID>]>([])
        /// Whose entries are not erased yet.
        let held = Shared<Owner?>(nil)

        private func step(_ name: String) throws(WorkError) {
            let fails = failing.change { failing in
                defer { if failing == name { failing = nil } }
                return failing == name
            }
            if fails { throw .unavailable(.unavailable(cause: "test")) }
            log.change { $0.append(name) }
        }

        func claim(
            limit: Int, besides running: Set<DeletionID>, leaseSeconds: Double
        ) async throws(WorkError) -> [LeasedDeletion] {
            asides.change { $0.append(running) }
            return waiting.change { waiting in
                defer { waiting = [] }
                return waiting
            }
        }
        func noteKeyDestroyed(_ deletion: LeasedDeletion, leaseSeconds: Double) async throws(WorkError) { try step("key noted") }
        func noteObjects(_ deletion: LeasedDeletion, found: Int, leaseSeconds: Double) async throws(WorkError) {
            try step("objects \(found)")
        }
        func eraseBatch(_ deletion: LeasedDeletion, of owner: Owner, most: Int, leaseSeconds: Double) async throws(WorkError) -> Int {
            self.owner.change { $0 = owner }
            try step("entries")
            while held.now == owner { try? await Task.sleep(for: .milliseconds(2)) }
            return entries.change { left in
                let gone = min(left, most)
                left -= gone
                return gone
            }
        }
        func eraseMember(_ deletion: LeasedDeletion, of owner: Owner) async throws(WorkError) -> Int {
            try step("member")
            return sessions.now
        }
        func finishPass(_ deletion: LeasedDeletion, lateObjects: Int) async throws(WorkError) { try step("pass \(lateObjects)") }
        func postpone(_ deletion: LeasedDeletion, seconds: Double) async throws(WorkError) { log.change { $0.append("postponed") } }

        func wrappedKey(of owner: Owner) async throws(DiaryError) -> WrappedKey? { nil }
        func rehearse(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
        func insert(_ key: WrappedKey, for owner: Owner) async throws(DiaryError) {}
        func destroy(keyOf owner: Owner) async throws(DiaryError) {
            do { try step("key destroyed") } catch { throw .unavailable(cause: "test") }
        }

        func deleting(_ count: Int) throws(ObjectStoreError) {
            if failing.now == "remove" {
                failing.change { $0 = nil }
                throw .unavailable(full: false)
            }
            if count > 0 { log.change { $0.append("removed \(count)") } }
        }
        func forget(_ subject: String) async -> Bool {
            log.change { $0.append("rates") }
            return false
        }
    }

    private let steps = Steps()
    private let objects = MemoryObjects()
    private let owner = Owner.someone
    private let serviceKeys = ServiceKeys(secret: .random(32))

    init() {
        for _ in 0..<5 { objects[ObjectKey(kind: .audio, owner: owner, object: UUID())] = [1] }
        objects.bytes.hooks.deletingAll = { [steps] count throws(ObjectStoreError) in try steps.deleting(count) }
    }

    private var eraser: Eraser {
        get throws {
            Eraser(
                store: steps, keys: DataKeys(store: steps, ring: try MasterKeyRing(current: "k", keys: ["k": .random(32)])),
                objects: objects.store,
                rates: steps, serviceKeys: serviceKeys, limits: limits, logger: .quiet)
        }
    }

    private var limits: Limits {
        var limits = Limits()
        limits.pollSeconds = 0.01
        return limits
    }

    private func wait(of other: Owner? = nil, keyIsDestroyed: Bool = false, isErased: Bool = false) throws {
        let id = DeletionID(UUIDv7.make())
        let sealed = try serviceKeys.sealSubject(other ?? owner, of: id)
        steps.waiting.change {
            $0.append(LeasedDeletion(id: id, subjectSealed: sealed, attempt: 1, isKeyDestroyed: keyIsDestroyed, isErased: isErased))
        }
    }

    @Test("the limiter is not scanned for an account that never had a session, unless the rows went in an earlier try")
    func withoutSessions() async throws {
        steps.sessions.change { $0 = 0 }
        try wait()
        _ = try await eraser.eraseWaiting()
        #expect(!steps.log.now.contains("rates"))

        try wait(keyIsDestroyed: true, isErased: true)
        _ = try await eraser.eraseWaiting()
        #expect(steps.log.now.contains("rates"))
    }

    @Test("first the key, then objects, rows, and the limiter's counts; the limiter may be away")
    func order() async throws {
        try wait()

        #expect(try await eraser.eraseWaiting() == 1)

        #expect(
            steps.log.now == [
                "key destroyed", "key noted", "objects 5", "removed 3", "objects 5", "removed 2", "objects 5", "entries", "entries",
                "entries",
                "entries",
                "member", "rates", "pass 0",
            ])
        #expect(steps.owner.now == owner)
        #expect(try await eraser.eraseWaiting() == 0)
    }

    @Test("the key of an account whose deletion is requested later does not wait for the end of a large one")
    func besideALargeOne() async throws {
        steps.held.set(owner)
        try wait()
        async let erased = eraser.eraseWaiting()
        defer { steps.held.set(nil) }
        try await until { steps.log.now.contains("entries") }

        try wait(of: .someone)

        try await until { steps.log.now.count { $0 == "key noted" } == 2 }
        #expect(steps.asides.now.first == [] && steps.asides.now.last?.isEmpty == false, "its own deletions are not claimed again")
        steps.held.set(nil)
        #expect(try await erased == 2)
    }

    @Test(
        "a deletion that fails anywhere is postponed and carried out the next time, and nothing happens before the key is gone",
        arguments: ["key destroyed", "key noted", "objects 5", "remove", "entries", "member", "pass 0"])
    func failures(step: String) async throws {
        steps.failing.change { $0 = step }
        try wait()
        _ = try await eraser.eraseWaiting()
        #expect(steps.log.now.last == "postponed")
        if step == "key destroyed" { #expect(steps.log.now == ["postponed"]) }

        try wait(keyIsDestroyed: steps.log.now.contains("key noted"), isErased: steps.log.now.contains("member"))
        _ = try await eraser.eraseWaiting()

        #expect(steps.log.now.last?.hasPrefix("pass") == true)
        #expect(objects.keys.isEmpty && steps.entries.now == 0 && steps.log.now.contains("member"))
    }

    @Test("a later pass removes late uploads and nothing else; a row of another secret does not stop the others")
    func later() async throws {
        try wait(keyIsDestroyed: true, isErased: true)
        steps.waiting.change {
            $0.append(
                LeasedDeletion(id: DeletionID(UUIDv7.make()), subjectSealed: [1, 2], attempt: 1, isKeyDestroyed: false, isErased: false))
        }

        #expect(try await eraser.eraseWaiting() == 2)

        #expect(Set(steps.log.now) == ["removed 5", "rates", "pass 5", "postponed"])
    }
}
