import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryWorker

@Suite("Budgets of engines")
struct BudgetGateTests {
    private let clock = TestClock()
    private let usage = ScriptedUsage()
    private var tenant = Stub.tenant("my-day")

    private func gate(_ settings: [String: String]) throws -> BudgetGate {
        var tenant = tenant
        for (name, value) in settings { try tenant.configuration.set(name, to: value) }
        return BudgetGate(usage: usage, tenants: StubTenants([tenant]), clock: clock.wall, logger: .quiet)
    }

    private func call(seconds: Double = 0, characters: Int = 0) -> EngineCall {
        EngineCall(
            owner: Owner(tenant: tenant.id, user: UserID(UUID())), entry: EntryID(UUID()), audioSeconds: seconds, characters: characters)
    }

    private let speech = EngineSettings(
        name: "whisper", stage: .speech, kind: .openai, timeoutSeconds: 600, price: EnginePrice(perMinute: 6_000))
    private let text = EngineSettings(
        name: "model", stage: .text, kind: .openai,
        price: EnginePrice(perMillionInputTokens: 1_000_000, perMillionOutputTokens: 2_000_000))

    @Test("without a limit nothing is reserved, and what was used is counted all the same, with its cost")
    func counted() async throws {
        let (gate, call) = (try gate([:]), call(seconds: 90))
        try await gate.admit(speech, call)
        await gate.ended(speech, call, .answered(EngineUse(audioSeconds: 90)))

        #expect(usage.reserved.now.isEmpty)
        #expect(usage.settled.now == [ScriptedUsage.Settled(reservation: nil, used: UsageAmount(audioMilliseconds: 90_000, cost: 9_000))])
    }

    @Test("a call reserves what it may use until after its time limit, and gives it back when it ends, however it ends")
    func reserves() async throws {
        let (gate, heard, read) = (
            try gate(["limits.engine_minutes_per_day": "60", "budget.cost_per_day": "5"]), call(seconds: 60), call(characters: 500)
        )
        try await gate.admit(speech, heard)
        try await gate.admit(text, read)
        await gate.ended(speech, heard, .failed(ProviderFailure(.retry, code: .speechTimeout, cause: "timeout")))
        await gate.ended(text, read, .answered(EngineUse(inputTokens: 130, outputTokens: 100)))

        let (first, second) = (usage.reserved.now.first, usage.reserved.now.last)
        #expect(first?.amount == UsageAmount(audioMilliseconds: 60_000, cost: 6_000) && first?.seconds == 660)
        // A token for each character, with the instructions, and as many back.
        #expect(second?.amount == UsageAmount(inputTokens: 1_500, outputTokens: 500, cost: 2_500))
        #expect(
            usage.settled.now == [
                ScriptedUsage.Settled(reservation: first?.id, used: nil),
                ScriptedUsage.Settled(reservation: second?.id, used: UsageAmount(inputTokens: 130, outputTokens: 100, cost: 330)),
            ])
    }

    @Test("parts of a long recording, which are counted as they are kept, are not counted again with the answer")
    func kept() async throws {
        let (gate, call) = (try gate(["limits.engine_minutes_per_day": "120"]), call(seconds: 3_000))
        try await gate.admit(speech, call)
        await gate.ended(speech, call, .answered(EngineUse()))
        await gate.ended(text, call, .answered(EngineUse()))

        let reserved = try #require(usage.reserved.now.first)
        #expect(
            usage.settled.now == [
                ScriptedUsage.Settled(reservation: reserved.id, used: nil),
                // A text that cost nothing was a call all the same.
                ScriptedUsage.Settled(reservation: nil, used: UsageAmount()),
            ])
    }

    @Test("a long recording's parts are waited for one after the other, and what was heard before a failure and not kept is counted")
    func parts() async throws {
        let (gate, call) = (try gate(["limits.engine_minutes_per_day": "120"]), call(seconds: 3_000))
        var failure = ProviderFailure(.retry, code: .speechTimeout, cause: "timeout")
        failure.use = EngineUse(audioSeconds: 1_200)

        try await gate.admit(speech, call)
        await gate.ended(speech, call, .failed(failure))

        let reserved = try #require(usage.reserved.now.first)
        #expect(reserved.seconds == 3 * 600 + 60)
        #expect(
            usage.settled.now == [
                ScriptedUsage.Settled(reservation: reserved.id, used: UsageAmount(audioMilliseconds: 1_200_000, cost: 120_000))
            ])
    }

    @Test("a program's call reserves for as long as it may take")
    func program() async throws {
        let gate = try gate(["limits.engine_minutes_per_day": "120"])
        let program = EngineSettings(name: "w", stage: .speech, kind: .command, command: ["/bin/x"], timeoutSeconds: 600)

        try await gate.admit(program, call(seconds: 3_600))

        // In three parts at most, each with the time of a call, and twice their length together.
        let seconds = try #require(usage.reserved.now.first?.seconds)
        #expect(seconds == 9_060)
    }

    @Test("a limit on cost does not hold for an engine without a price, nor one on tokens for speech")
    func free() async throws {
        let gate = try gate(["limits.engine_cost_per_day": "1", "budget.cost_per_day": "1", "limits.engine_tokens_per_day": "1000"])
        usage.outcome.set(.usedUp(until: clock.now))
        try await gate.admit(EngineSettings(name: "local", stage: .speech, kind: .local), call(seconds: 60))
        try await gate.admit(EngineSettings(name: "rules", stage: .text, kind: .local), call(characters: 60))
        #expect(usage.reserved.now.isEmpty)
        await #expect(throws: ProviderFailure.self) { try await gate.admit(speech, call(seconds: 60)) }
        // The minutes of every engine count.
        let minutes = try self.gate(["limits.engine_minutes_per_day": "1"])
        await #expect(throws: ProviderFailure.self) {
            try await minutes.admit(EngineSettings(name: "local", stage: .speech, kind: .local), call(seconds: 60))
        }
    }

    @Test("used up, a call waits for the day's end; held by others, for a minute at most; too large for a day, it fails")
    func refuses() async throws {
        let gate = try gate(["limits.engine_minutes_per_day": "1"])
        func refusal(_ outcome: ReservationOutcome) async -> ProviderFailure? {
            usage.outcome.set(outcome)
            let call = call(seconds: 30)
            do { try await gate.admit(speech, call) } catch { return error }
            return nil
        }
        let used = await refusal(.usedUp(until: clock.now + 59_400))
        let held = await refusal(.heldByOthers(until: clock.now + 600))
        let soon = await refusal(.heldByOthers(until: clock.now - 5))
        let never = await refusal(.tooLarge)

        #expect([used, held, soon, never].allSatisfy { $0?.code == .budgetExceeded })
        #expect(used?.isWait == true && used?.retryAfter == 59_400)
        #expect(held?.treatment == .retry && held?.retryAfter == 60)
        #expect(soon?.retryAfter == 1)
        #expect(never?.treatment == .permanent)
        #expect(usage.settled.now.isEmpty)
    }

    @Test("waiting for a budget is never the last try")
    func tries() {
        let stop = JobStop(.waiting(code: .budgetExceeded, after: 59_400, cause: "used up"))
        guard case .wait(.budgetExceeded, let seconds) = RetryPolicy(Limits()).settle(stop.outcome, errors: 7) else {
            Issue.record("not a wait")
            return
        }
        #expect(seconds >= 59_400)
    }

    @Test("equal calls at the same time have a reservation each")
    func equal() async throws {
        let (gate, call) = (try gate(["limits.engine_minutes_per_day": "60"]), call(seconds: 60))
        try await gate.admit(speech, call)
        try await gate.admit(speech, call)
        await gate.ended(speech, call, .notCalled)
        await gate.ended(speech, call, .notCalled)

        #expect(usage.reserved.now.count == 2)
        #expect(Set(usage.settled.now.compactMap(\.reservation)) == Set(usage.reserved.now.map(\.id)))
    }

    @Test("no number of a server makes a sum overflow")
    func wild() {
        let used = UsageAmount(EngineUse(audioSeconds: .infinity, inputTokens: .max, outputTokens: .min), of: text)
        #expect(used == UsageAmount(audioMilliseconds: 0, inputTokens: 1_000_000_000_000, outputTokens: 0, cost: used.cost))
        #expect((0...1_000_000_000_000).contains(used.cost))
        #expect(UsageAmount(EngineUse(audioSeconds: -3), of: speech) == UsageAmount())
        #expect(UsageAmount(expecting: call(characters: .max), of: text).tokens < 3_000_000_000)
    }
}

private final class ScriptedUsage: UsageStore {
    struct Settled: Equatable {
        let reservation: UUID?
        let used: UsageAmount?
    }

    let outcome = Shared(ReservationOutcome.reserved)
    let reserved = Shared<[UsageReservation]>([])
    let settled = Shared<[Settled]>([])

    func reserve(
        _ reservation: UsageReservation, within limits: UsageLimits, of owner: Owner, at now: Date
    ) async throws(WorkError) -> ReservationOutcome {
        if outcome.now == .reserved { reserved.set(reserved.now + [reservation]) }
        return outcome.now
    }

    func settle(_ reservation: UUID?, used: UsageAmount?, of owner: Owner, at now: Date) async throws(WorkError) {
        settled.set(settled.now + [Settled(reservation: reservation, used: used)])
    }
}
