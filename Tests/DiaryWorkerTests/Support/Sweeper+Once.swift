import DiaryCore
import DiaryCrypto
import DiaryTesting
import TestSupport

@testable import DiaryWorker

extension DiarySweeps {
    static func of(
        _ store: ScriptedSweepStore, _ objects: any ObjectStore, parts: any UploadParts = StubParts(), keys: DataKeys? = nil,
        serviceKeys: ServiceKeys = ServiceKeys(secret: .random(32)), signals: SignalLog = SignalLog(), limits: Limits = Limits()
    ) throws -> DiarySweeps {
        let ring = try MasterKeyRing(current: "k", keys: ["k": .random(32)])
        return DiarySweeps(
            store: store, objects: objects, parts: parts, keys: keys ?? DataKeys(store: MemoryKeyStore(), ring: ring),
            serviceKeys: serviceKeys, jobSignals: signals, limits: limits, logger: .quiet)
    }
}

extension Sweeper {
    /// A round in which the hourly sweeps do not begin.
    /// - Parameter settlingAll: those of five minutes begin.
    func sweep(settlingAll: Bool = true) async {
        await sweep(beginning: settlingAll ? [.round, .fiveMinutes] : [.round], isCompared: true)
    }

    /// A round in which no sweep begins.
    func goOn() async { await sweep(beginning: [], isCompared: true) }

    /// The hourly sweeps, however many rounds they take.
    func sweepHourly() async {
        await sweep(beginning: [.hour], isCompared: true)
        for _ in 0..<10 { await goOn() }
    }
}

/// Does pages of a walk until it has ended.
func wholeWalk<Place: Sendable>(_ page: (inout SweepWalk<Place>) async throws -> Void) async throws {
    var walk = SweepWalk<Place>()
    walk.begin()
    while walk.isUnderWay { try await page(&walk) }
}
