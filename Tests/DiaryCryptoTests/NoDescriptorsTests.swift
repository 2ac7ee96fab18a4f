import Glibc
import Testing

@testable import DiaryCrypto

@Suite("A process that may open nothing more")
struct NoDescriptorsTests {
    /// Callers from outside can bring a process there by opening connections (A16).
    @Test("random numbers and key ids come without a descriptor, and differ (A16)")
    func random() async {
        await #expect(processExitsWith: .success) {
            var before = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before)
            var limit = rlimit(rlim_cur: 0, rlim_max: before.rlim_max)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            // No longer than needed: once a second libdispatch may open /proc/<pid>/stat, and traps when it cannot.
            defer { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &before) }
            #expect(open("/dev/urandom", O_RDONLY) == -1)

            let ids = Set((0..<100).map { _ in DataKey.generate().id })

            #expect(ids.count == 100)
            #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        }
    }
}
