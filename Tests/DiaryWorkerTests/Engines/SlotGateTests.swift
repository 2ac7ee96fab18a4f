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

    /// Its calls wait until one ends, or their task does.
    private static var patient: SlotGate { SlotGate { try? await Task.sleep(for: .seconds(3_600)) } }
    /// Its calls are refused where they would have to wait.
    private static func impatient(_ slots: [EngineStage: Int] = [:]) -> SlotGate { SlotGate(slots: slots) {} }

    private static func isAdmitted(_ engine: EngineSettings, _ gate: SlotGate) async -> Bool {
        do throws(ProviderFailure) { try await gate.admit(engine, call) } catch { return false }
        return true
    }

    /// A call in a task of its own.
    private static func ask(_ gate: SlotGate, _ engine: EngineSettings) -> Task<Result<Void, ProviderFailure>, Never> {
        Task {
            do throws(ProviderFailure) { return .success(try await gate.admit(engine, call)) } catch { return .failure(error) }
        }
    }

    @Test("as many calls as the engine has slots go out at once; each that ends lets one of those go out that wait")
    func waiting() async throws {
        let (gate, engine, admitted) = (Self.patient, Self.engine(), Counter())
        for _ in 0..<2 { try await gate.admit(engine, Self.call) }

        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { if await Self.isAdmitted(engine, gate) { admitted.add() } }
            }
            for ended in 1...5 {
                #expect(gate.busy(engine) == 2 && admitted.count == ended - 1)
                await gate.ended(engine, Self.call, .notCalled)
                #expect(await eventually { admitted.count == ended })
            }
        }

        #expect(gate.busy(engine) == 2)
    }

    @Test("a call that has waited long enough is refused, is to come back soon, and counts as no try")
    func bounded() async throws {
        let limit = AsyncStream.makeStream(of: Void.self)
        let gate = SlotGate { for await _ in limit.stream { break } }
        let engine = Self.engine(slots: 1)
        try await gate.admit(engine, Self.call)
        let refused = Self.ask(gate, engine)

        limit.continuation.finish()

        guard case .failure(let failure) = await refused.value else { throw NotInTimeOrAdmitted() }
        #expect(failure.treatment == .retry && failure.code == .engineBusy && !failure.isTry && (failure.retryAfter ?? 0) > 0)
        #expect(gate.busy(engine) == 1)
        await gate.ended(engine, Self.call, .notCalled)
        #expect(gate.busy(engine) == 0)
    }

    @Test("a cancelled wait takes no slot: another one gets it, and none is lost")
    func cancelled() async throws {
        let (gate, engine) = (Self.patient, Self.engine(slots: 1))
        try await gate.admit(engine, Self.call)
        let (first, second) = (Self.ask(gate, engine), Self.ask(gate, engine))

        first.cancel()
        guard case .failure = await first.value else { throw NotInTimeOrAdmitted() }
        await gate.ended(engine, Self.call, .notCalled)
        guard case .success = await second.value else { throw NotInTimeOrAdmitted() }

        #expect(gate.busy(engine) == 1)
        await gate.ended(engine, Self.call, .notCalled)
        #expect(gate.busy(engine) == 0)
    }

    @Test("each app has slots of its own for its engines; the process's own engine is shared, and local ones have none")
    func scopes() async throws {
        let gate = Self.impatient()
        for app in [TenantID(UUID()), TenantID(UUID()), nil] {
            let engine = Self.engine(of: app, slots: 1)

            #expect(await Self.isAdmitted(engine, gate))
            #expect(await !Self.isAdmitted(engine, gate))
            #expect(gate.busy(engine) == 1)
        }
        for _ in 0..<9 { #expect(await Self.isAdmitted(Self.engine(kind: .local, slots: 1), gate)) }
    }

    @Test(
        "an app's calls to servers take half of the queue's slots at most, however many engines it has; other apps have theirs",
        arguments: [(1, 1), (4, 2), (5, 2)])
    func places(slots: Int, half: Int) async throws {
        let (gate, app) = (Self.impatient([.speech: slots]), TenantID(UUID()))
        let (one, two) = (Self.engine("one", of: app, slots: 9), Self.engine("two", of: app, slots: 9))
        let others = Self.engine(of: TenantID(UUID()), slots: 9)

        for number in 0..<half {
            #expect(await Self.isAdmitted(number == 0 ? one : two, gate))
            #expect(await Self.isAdmitted(others, gate))
        }

        for engine in [one, two, others] { #expect(await !Self.isAdmitted(engine, gate)) }
        // A program is bounded by its own slots, and so is the service's own server, which all apps share.
        for engine in [Self.engine("program", of: app, kind: .command, slots: 9), Self.engine(slots: 9)] {
            for _ in 0..<9 { #expect(await Self.isAdmitted(engine, gate)) }
        }
        await gate.ended(one, Self.call, .notCalled)
        #expect(await Self.isAdmitted(two, gate))
        #expect(await !Self.isAdmitted(two, gate))
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
        #expect(gate.busy(engine) == 0)
    }
}

private struct NotInTimeOrAdmitted: Error {}
