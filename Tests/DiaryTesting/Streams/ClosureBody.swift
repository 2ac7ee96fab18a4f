package import DiaryCore

/// Any body, from a closure.
package final class ClosureBody: ByteStream {
    private let produce: @Sendable () async throws -> [UInt8]?

    package init(_ produce: @escaping @Sendable () async throws -> [UInt8]?) { self.produce = produce }

    package func next() async throws -> [UInt8]? { try await produce() }
}
