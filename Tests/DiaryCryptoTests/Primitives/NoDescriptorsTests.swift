import Glibc
import Testing

@testable import DiaryCrypto

@Suite("A thread that may open nothing more")
struct NoDescriptorsTests {
    /// Callers from outside can bring a process there by opening connections (A16). Only this thread is brought there: once a second
    /// libdispatch opens files of /proc on a thread of its own, and traps when it cannot.
    @Test("random numbers and key ids come without a descriptor, and differ (A16)")
    func random() async {
        await #expect(processExitsWith: .success) {
            #expect(Self.unshareDescriptors())
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = min(limit.rlim_cur, 256)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var taken: [Int32] = []
            while case let descriptor = dup(STDERR_FILENO), descriptor >= 0 { taken.append(descriptor) }
            #expect(!taken.isEmpty)
            #expect(open("/dev/urandom", O_RDONLY) == -1)

            let ids = Set((0..<100).map { _ in DataKey.generate().id })
            let numbers = [SecureRandom.bytes(32), SecureRandom.bytes(32)]

            // A failed expectation is written through a descriptor.
            for descriptor in taken { close(descriptor) }
            #expect(ids.count == 100)
            #expect(numbers[0] != numbers[1])
        }
    }

    /// From here on the calling thread has a table of descriptors of its own: close_range(2) with CLOSE_RANGE_UNSHARE, here over numbers
    /// that are never open. Swift's Glibc does not import it.
    private static func unshareDescriptors() -> Bool {
        typealias CloseRange = @convention(c) (UInt32, UInt32, UInt32) -> Int32
        guard let address = dlsym(nil, "close_range") else { return false }
        return unsafe unsafeBitCast(address, to: CloseRange.self)(.max - 1, .max, 2) == 0
    }
}
