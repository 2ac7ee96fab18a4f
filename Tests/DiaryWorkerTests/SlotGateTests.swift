import DiaryCore
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("Slots of engines", .timeLimit(.minutes(1)))
struct SlotGateTests {
    private static let call = EngineCall(owner: .someone, entry: EntryID(UUID()))

    private static func engine(
        _ name: String = "groq", of app: TenantID? = nil, kind: EngineKind = .openai, slots: Int = 2
    ) -> EngineSettings {
        var engine = EngineSettings(name: name, stage: .speech, kind: kind, slots: slots)
        engine.app = app
        return engine
    }

    /// Never ends by itself: only the task's end does.
    private static var patient: SlotGate { SlotGate { try? await Task.sleep(for: .seconds(3_600)) } }

    /// A call in a task of its own, which notes its number when it is admitted.
    private static func ask(
        _ gate: SlotGate, _ engine: EngineSettings, _ number: Int = 0, noting order: Shared<[Int]> = Shared([])
    ) -> Task<Result<Void, ProviderFailure>, Never> {
        Task {
            do throws(ProviderFailure) {
                try await gate.admit(engine, call)
                order.change { $0.append(number) }
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    @Test("as many calls as the engine has slots go out at once; those that wait follow in the order in which they came")
    func order() async throws {
        let (gate, engine, order) = (Self.patient, Self.engine(), Shared<[Int]>([]))
        try await gate.admit(engine, Self.call)
        try await gate.admit(engine, Self.call)
        var asked: [Task<Result<Void, ProviderFailure>, Never>] = []
        for number in 1...5 {
            asked.append(Self.ask(gate, engine, number, noting: order))
            try await until { gate.waiting(engine) == number }
        }
        #expect(order.now.isEmpty)

        for ended in 1...5 {
            await gate.ended(engine, Self.call, .notCalled)
            try await until { order.now.count == ended }
            #expect(gate.busy(engine) == 2 && gate.waiting(engine) == 5 - ended)
        }

        #expect(order.now == [1, 2, 3, 4, 5])
        for task in asked { _ = await task.value }
    }

    @Test("a call that has waited long enough is refused, is to come back soon, and counts as no try; its place in the line is gone")
    func bounded() async throws {
        let limit = AsyncStream.makeStream(of: Void.self)
        let gate = SlotGate { for await _ in limit.stream { break } }
        let engine = Self.engine(slots: 1)
        try await gate.admit(engine, Self.call)
        let refused = Self.ask(gate, engine)
        try await until { gate.waiting(engine) == 1 }

        limit.continuation.finish()

        guard case .failure(let failure) = await refused.value else { throw NotInTimeOrAdmitted() }
        #expect(failure.treatment == .retry && failure.code == .engineBusy && !failure.isTry && (failure.retryAfter ?? 0) > 0)
        #expect(gate.waiting(engine) == 0 && gate.busy(engine) == 1)
        await gate.ended(engine, Self.call, .notCalled)
        #expect(gate.busy(engine) == 0)
    }

    @Test("a cancelled wait leaves the line: the next one gets the slot, and none is lost")
    func cancelled() async throws {
        let (gate, engine, order) = (Self.patient, Self.engine(slots: 1), Shared<[Int]>([]))
        try await gate.admit(engine, Self.call)
        let first = Self.ask(gate, engine, 1, noting: order)
        try await until { gate.waiting(engine) == 1 }
        let second = Self.ask(gate, engine, 2, noting: order)
        try await until { gate.waiting(engine) == 2 }

        first.cancel()
        guard case .failure = await first.value else { throw NotInTimeOrAdmitted() }
        #expect(gate.waiting(engine) == 1)
        await gate.ended(engine, Self.call, .notCalled)
        guard case .success = await second.value else { throw NotInTimeOrAdmitted() }
        await gate.ended(engine, Self.call, .notCalled)

        #expect(order.now == [2])
        #expect(gate.busy(engine) == 0 && gate.waiting(engine) == 0)
    }

    @Test("each app has slots of its own for its engines; the process's own engine is shared, and local ones have none")
    func scopes() async throws {
        let gate = Self.patient
        let (one, other) = (TenantID(UUID()), TenantID(UUID()))
        try await gate.admit(Self.engine(of: one, slots: 1), Self.call)
        try await gate.admit(Self.engine(of: other, slots: 1), Self.call)
        try await gate.admit(Self.engine(slots: 1), Self.call)
        for _ in 0..<9 { try await gate.admit(Self.engine(kind: .local, slots: 1), Self.call) }

        let second = Self.ask(gate, Self.engine(slots: 1))
        try await until { gate.waiting(Self.engine(slots: 1)) == 1 }

        #expect(gate.busy(Self.engine(of: one, slots: 1)) == 1 && gate.busy(Self.engine(kind: .local)) == 1)
        second.cancel()
        _ = await second.value
    }

    @Test("calls to servers are no more than their queue has slots, however many engines an app has, but for the first call of another app")
    func places() async throws {
        let slot = QueueSlot(job: .make(.transcribe), slots: 2, busy: BusySlots(shares: SlotShares(slots: 2)))
        try await QueueSlot.$current.withValue(slot) {
            let (gate, order) = (Self.patient, Shared<[Int]>([]))
            let (app, other) = (TenantID(UUID()), TenantID(UUID()))
            let (one, two) = (Self.engine("one", of: app, slots: 9), Self.engine("two", of: app, slots: 9))
            let others = Self.engine(of: other, slots: 9)
            try await gate.admit(one, Self.call)
            try await gate.admit(two, Self.call)
            let third = Self.ask(gate, one, 1, noting: order)
            try await until { gate.waiting(one) == 1 }
            try await gate.admit(others, Self.call)
            let fourth = Self.ask(gate, others, 2, noting: order)
            try await until { gate.waiting(others) == 1 }
            // A program is bounded by its own slots.
            try await gate.admit(Self.engine("program", of: app, kind: .command, slots: 9), Self.call)

            await gate.ended(one, Self.call, .notCalled)
            #expect(order.now.isEmpty && gate.waiting(one) == 1 && gate.waiting(others) == 1)
            await gate.ended(two, Self.call, .notCalled)
            try await until { order.now == [1] }
            #expect(gate.waiting(others) == 1)
            await gate.ended(one, Self.call, .notCalled)
            try await until { order.now == [1, 2] }

            await gate.ended(others, Self.call, .notCalled)
            await gate.ended(others, Self.call, .notCalled)
            #expect(gate.busy(one) + gate.busy(two) + gate.busy(others) == 0)
            _ = (await third.value, await fourth.value)
        }
    }

    @Test("a call to a server that takes long lends the slot of its job, and an engine of this machine is asked with a slot again")
    func lends() async throws {
        let job = LeasedJob.make(.transcribe)
        let busy = BusySlots(shares: SlotShares(slots: 1), lendAfter: .zero)
        busy.take(job)
        let gate = Self.patient
        try await QueueSlot.$current.withValue(QueueSlot(job: job, slots: 1, busy: busy)) {
            try await gate.admit(Self.engine(kind: .command), Self.call)
            await gate.ended(Self.engine(kind: .command), Self.call, .notCalled)
            #expect(busy.vacancy.lent == 0)
            try await gate.admit(Self.engine(), Self.call)
            #expect(busy.vacancy.lent == 1)
            await gate.ended(Self.engine(), Self.call, .notCalled)
            #expect(busy.vacancy.lent == 1)

            try await gate.admit(Self.engine(kind: .local), Self.call)

            #expect(busy.vacancy.lent == 0 && busy.vacancy.slots == 0)
        }
    }

    @Test("100 calls at once, some of them cancelled: never more under way than slots, and at the end all slots are free")
    func crowd() async throws {
        let (gate, engine, inside) = (Self.patient, Self.engine(slots: 3), Gauge())

        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let call = Task {
                        do throws(ProviderFailure) { try await gate.admit(engine, Self.call) } catch { return }
                        inside.enter()
                        await Task.yield()
                        inside.leave()
                        await gate.ended(engine, Self.call, .notCalled)
                    }
                    if number % 4 == 0 { call.cancel() }
                    await call.value
                }
            }
        }

        #expect(inside.peak <= 3 && inside.total >= 75)
        #expect(gate.busy(engine) == 0 && gate.waiting(engine) == 0)
    }
}

private struct NotInTimeOrAdmitted: Error {}
