import BlockingCalls
package import DiaryCore
import DiaryCrypto
import Synchronization

/// libargon2 gave no hash at the start: no memory, or parameters it refuses.
package struct HasherUnavailable: Error, Sendable, Equatable {}

/// argon2id on a few threads of its own, because one hash holds a core and 19 MiB for tens of milliseconds (B8, B11, decision D5).
package final class Argon2Hasher: PasswordHasher {
    /// Known callers of one account that run or wait at once. What is more waits with the unknown ones.
    private static let accountMost = 1
    /// The same of one client network.
    private static let networkMost = 2

    private let parameters: Argon2Parameters
    let pool: BoundedBlockingPool
    private let dummy: String
    private let runCount = Atomic<Int>(0)

    /// Hashes once on the calling thread, for the hash that unknown accounts are checked against.
    ///
    /// - Parameters:
    ///   - concurrency: hashes at once; memory is this times `parameters.memoryKiB`.
    ///   - waiting: how many more may wait, of known and of unknown callers each, before callers get `HasherBusy`.
    package init(parameters: Argon2Parameters = Argon2Parameters(), concurrency: Int = 4, waiting: Int = 64) throws(HasherUnavailable) {
        guard let dummy = Argon2.hash(SecureRandom.bytes(32), parameters) else { throw HasherUnavailable() }
        self.parameters = parameters
        self.dummy = dummy
        pool = BoundedBlockingPool(threads: concurrency, waiting: waiting)
    }

    /// How often the hash function was run for a caller: the cost that must be equal (B8).
    package var runs: Int { runCount.load(ordering: .relaxed) }

    package func hash(_ password: String, for caller: HasherCaller) async throws(HasherBusy) -> String {
        let bytes = Array(password.utf8)
        let phc = try await onThread(caller) { [parameters] in Argon2.hash(bytes, parameters) }
        // libargon2 fails here only when it gets no memory, so the caller may try again later.
        guard let phc else { throw HasherBusy() }
        return phc
    }

    package func verify(_ password: String, against phc: String?, for caller: HasherCaller) async throws(HasherBusy) -> Bool {
        let bytes = Array(password.utf8)
        // A stored hash of another form must cost as much time as one of this form, and never matches.
        let stored = phc.flatMap { PHCString($0) == nil ? nil : $0 }
        let target = stored ?? dummy
        let matches = try await onThread(caller) { Argon2.verify(bytes, against: target) }
        return matches && stored != nil
    }

    package func needsRehash(_ phc: String) -> Bool {
        guard let stored = PHCString(phc) else { return true }
        return stored.memoryKiB < parameters.memoryKiB || stored.passes < parameters.passes || stored.lanes < parameters.lanes
    }

    private static func precedence(of caller: HasherCaller) -> BoundedBlockingPool.Precedence {
        guard case .known(let account, let network) = caller else { return .ordinary }
        var shares = [BoundedBlockingPool.Share(key: Array("account/".utf8) + account, most: accountMost)]
        if let network { shares.append(BoundedBlockingPool.Share(key: Array("network/".utf8) + network, most: networkMost)) }
        return .preferred(within: shares)
    }

    private func onThread<Result: Sendable>(
        _ caller: HasherCaller, _ work: @escaping @Sendable () -> Result
    ) async throws(HasherBusy) -> Result {
        let result = await pool.run(Self.precedence(of: caller)) { [self] in
            runCount.add(1, ordering: .relaxed)
            return work()
        }
        guard let result else { throw HasherBusy() }
        return result
    }
}
