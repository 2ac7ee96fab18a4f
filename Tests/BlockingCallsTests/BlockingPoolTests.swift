import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import BlockingCalls

@Suite("Blocking pool", .timeLimit(.minutes(1)))
struct BlockingPoolTests {
    private struct Refused: Error, Equatable {}

    private final class Order: Sendable {
        private let state = Mutex<[String]>([])
        var names: [String] { state.withLock { $0 } }
        func add(_ name: String) { state.withLock { $0.append(name) } }
    }

    @Test("a call returns its value or throws its own error")
    func results() async {
        let pool = BlockingPool(threads: 2)

        #expect(await pool.run { 7 } == 7)
        await #expect(throws: Refused()) { try await pool.run { () throws(Refused) -> Int in throw Refused() } }
    }

    @Test("one thread runs calls one at a time and leaves none out")
    func oneAtATime() async {
        let pool = BlockingPool(threads: 1)
        let gauge = Gauge()

        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await pool.run {
                        gauge.enter()
                        defer { gauge.leave() }
                        return number
                    }
                }
            }
            return await group.reduce(0, +)
        }

        #expect(sum == 199 * 200 / 2)
        #expect(gauge.peak == 1)
    }

    @Test("calls that wait for a thread run in the order in which they were made")
    func inOrder() async {
        let pool = BlockingPool(threads: 1)
        let gate = DispatchSemaphore(value: 0)
        let order = Order()

        pool.submit { gate.wait() }
        for number in 0..<100 { pool.submit { order.add("\(number)") } }
        gate.signal()
        await pool.run {}

        #expect(order.names == (0..<100).map { "\($0)" })
    }

    @Test("a call of a cancelled task still runs to its end")
    func cancelled() async {
        let pool = BlockingPool(threads: 1)

        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await pool.run { 7 }
        }

        #expect(await task.value == 7)
    }

    @Test("a pool that is released while a call runs lets the call end")
    func released() async {
        let answer = await BlockingPool(threads: 1).run { 7 }

        #expect(answer == 7)
    }

    @Test("calls beyond the bound are refused at once, and the place is free when the answer is there")
    func bound() async {
        let pool = BoundedBlockingPool(threads: 1, waiting: 1)
        let gate = DispatchSemaphore(value: 0)

        // One of three runs and waits at the gate, one waits in the queue, one is refused.
        let (refused, done) = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 { group.addTask { await pool.run { gate.wait() } != nil } }
            let first = await group.next()
            gate.signal()
            gate.signal()
            return await (first == false, group.reduce(0) { $0 + ($1 ? 1 : 0) })
        }

        #expect(refused)
        #expect(done == 2)
        for number in 0..<100 { #expect(await pool.run { number } == number) }
    }

    @Test("preferred calls have waiting places of their own, and three of four calls that start are theirs while both wait")
    func precedence() async {
        let pool = BoundedBlockingPool(threads: 1, waiting: 8)
        let gate = DispatchSemaphore(value: 0)
        let order = Order()

        let refused = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await pool.run { gate.wait() } != nil }
            #expect(await eventually { pool.admitted == 1 })
            for _ in 0..<12 { group.addTask { await pool.run { order.add("ordinary") } != nil } }
            #expect(await eventually { pool.admitted == 9 })
            for _ in 0..<8 { group.addTask { await pool.run(.preferred()) { order.add("preferred") } != nil } }
            #expect(await eventually { pool.admitted == 17 })
            gate.signal()
            return await group.reduce(into: 0) { $0 += $1 ? 0 : 1 }
        }

        let round = ["preferred", "preferred", "preferred", "ordinary"]
        #expect(refused == 4)
        #expect(order.names == round + round + ["preferred", "preferred"] + Array(repeating: "ordinary", count: 6))
    }

    @Test("a preferred call beyond one of its shares is an ordinary one, and the share is free when a call of it has ended")
    func shares() async {
        let pool = BoundedBlockingPool(threads: 1, waiting: 8)
        let gate = DispatchSemaphore(value: 0)
        let order = Order()
        func preferred(_ account: UInt8, _ network: UInt8) -> BoundedBlockingPool.Precedence {
            .preferred(within: [.init(key: [0, account], most: 1), .init(key: [1, network], most: 2)])
        }

        for _ in 0..<2 {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = await pool.run { gate.wait() } }
                #expect(await eventually { pool.admitted == 1 })
                let calls: [(String, UInt8, UInt8)] = [
                    ("one", 1, 1), ("one again", 1, 2), ("two", 2, 1), ("three of the network", 3, 1), ("four", 4, 2),
                ]
                for (place, (name, account, network)) in calls.enumerated() {
                    let precedence = preferred(account, network)
                    group.addTask { _ = await pool.run(precedence) { order.add(name) } }
                    #expect(await eventually { pool.admitted == place + 2 })
                }
                gate.signal()
            }
        }

        let round = ["one", "two", "four", "one again", "three of the network"]
        #expect(order.names == round + round)
    }
}
