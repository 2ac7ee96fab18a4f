import Glibc
import Testing

@testable import DiaryCrypto

@Suite("A process that may open nothing more")
struct NoDescriptorsTests {
    /// Callers from outside can bring a process there by opening connections (A16).
    @Test("random numbers and key ids come without a descriptor, and differ (A16)")
    func random() async {
        await #expect(processExitsWith: .success) {
            // Dispatch opens its own when a first timer is set, by any thread of the process, and traps without one.
            try await Task.sleep(for: .milliseconds(1))
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            #expect(open("/dev/urandom", O_RDONLY) == -1)

            let ids = Set((0..<100).map { _ in DataKey.generate().id })

            #expect(ids.count == 100)
            #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        }
    }
}
