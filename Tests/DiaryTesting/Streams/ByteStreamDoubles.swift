import DiaryCore
import Synchronization

/// Bytes in pieces of `chunk`.
package final class ArrayBody: ByteStream {
    private let rest: Mutex<ArraySlice<UInt8>>
    private let chunk: Int

    package init(_ bytes: [UInt8], chunk: Int = .max) {
        rest = Mutex(bytes[...])
        self.chunk = chunk
    }

    package func next() async throws -> [UInt8]? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
    }
}

/// Any body, from a closure.
package final class ClosureBody: ByteStream {
    private let produce: @Sendable () async throws -> [UInt8]?

    package init(_ produce: @escaping @Sendable () async throws -> [UInt8]?) { self.produce = produce }

    package func next() async throws -> [UInt8]? { try await produce() }
}
