import DiaryTesting
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Turns of accounts", .timeLimit(.minutes(1))) struct AccountTurnsTests {
    /// Searches that run until they are let go.
    private final class Held: Sendable {
        private let state = Mutex<(running: [Owner], most: Int, begun: Int, open: Bool)>(([], 0, 0, false))

        func search(_ owner: Owner) async {
            state.withLock { state in
                state.running.append(owner)
                state.begun += 1
                state.most = max(state.most, state.running.count)
            }
            while !state.withLock({ $0.open }) { await Task.yield() }
            state.withLock { state in if let place = state.running.firstIndex(of: owner) { state.running.remove(at: place) } }
        }
        func open() { state.withLock { $0.open = true } }
        var running: [Owner] { state.withLock { $0.running } }
        var most: Int { state.withLock { $0.most } }
        var begun: Int { state.withLock { $0.begun } }
    }

    private static func owner() -> Owner { Owner(tenant: Stub.owner.tenant, user: UserID(UUID())) }

    @Test("an account has one search at a time, a process two, and all come to their turn")
    func order() async throws {
        let (turns, held) = (AccountTurns(of: "searches", most: 2), Held())
        let owners = [Self.owner(), Self.owner(), Self.owner()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for owner in owners + owners {
                group.addTask { try await turns.run(of: owner) { () async throws(DiaryError) in await held.search(owner) } }
            }
            #expect(await eventually { held.begun == turns.most })
            #expect(Set(held.running).count == turns.most)
            held.open()
            try await group.waitForAll()
        }
        #expect(held.begun == 6 && held.most == turns.most)
    }

    @Test("more searches of one account than may wait are refused, and another's are not")
    func refusals() async throws {
        let (turns, held, owner) = (AccountTurns(of: "searches", most: 2), Held(), Self.owner())
        await withTaskGroup(of: ErrorCode?.self) { group in
            for _ in 0..<AccountTurns.mostWaiting + 2 { group.addTask { await Self.code(turns, held, owner) } }
            let first = await group.next() ?? nil
            #expect(first == .rateLimited)
            let other = Self.owner()
            group.addTask { await Self.code(turns, held, other) }
            #expect(await eventually { held.begun == 2 })
            held.open()
            for await code in group { #expect(code == nil) }
        }
    }

    @Test("clients that have gone take neither a turn nor a place in the queue")
    func gone() async throws {
        let (turns, held, owner, gone) = (AccountTurns(of: "searches", most: 2), Held(), Self.owner(), Shared(false))
        let went = Shared(0)
        await withTaskGroup(of: ErrorCode?.self) { group in
            group.addTask { await Self.code(turns, held, owner) }
            #expect(await eventually { held.begun == 1 })
            for _ in 0..<AccountTurns.mostWaiting {
                group.addTask {
                    let code = await Self.code(turns, held, owner) { !gone.now }
                    if code != nil { went.change { $0 += 1 } }
                    return code
                }
            }
            #expect(await eventually { turns.waiting == AccountTurns.mostWaiting })
            #expect(await Self.code(turns, held, owner) == .rateLimited)

            gone.set(true)
            group.addTask { await Self.code(turns, held, owner) }
            #expect(await eventually { went.now == AccountTurns.mostWaiting && turns.waiting == 1 })
            held.open()
            var codes: [ErrorCode?] = []
            for await code in group { codes.append(code) }
            #expect(codes.count { $0 == .overloaded } == AccountTurns.mostWaiting && codes.count { $0 == nil } == 2)
        }
        #expect(held.begun == 2)
    }

    private static func code(
        _ turns: AccountTurns, _ held: Held, _ owner: Owner, isAwaited: @escaping @Sendable () -> Bool = { true }
    ) async -> ErrorCode? {
        do throws(DiaryError) {
            try await turns.run(of: owner, isAwaited: isAwaited) { () async throws(DiaryError) in await held.search(owner) }
            return nil
        } catch { return error.code }
    }
}
