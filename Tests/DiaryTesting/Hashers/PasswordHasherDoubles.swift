package import DiaryCore
import Synchronization

/// No password is right.
package struct NoHasher: PasswordHasher {
    package init() {}
    package func hash(_ password: String, for caller: HasherCaller) async throws(HasherBusy) -> String { "$argon2id$" }
    package func verify(_ password: String, against phc: String?, for caller: HasherCaller) async throws(HasherBusy) -> Bool { false }
    package func needsRehash(_ phc: String) -> Bool { false }
}

/// Counts its runs; a hash is the password with a mark.
package final class CountingHasher: PasswordHasher {
    private let count = Mutex(0)

    package init() {}

    package var runs: Int { count.withLock { $0 } }

    private func run() { count.withLock { $0 += 1 } }

    package func hash(_ password: String, for caller: HasherCaller) async throws(HasherBusy) -> String {
        run()
        return "new:" + password
    }

    package func verify(_ password: String, against phc: String?, for caller: HasherCaller) async throws(HasherBusy) -> Bool {
        run()
        return phc.map { $0 == "new:" + password || $0 == "old:" + password } ?? false
    }

    package func needsRehash(_ phc: String) -> Bool { phc.hasPrefix("old:") }
}
