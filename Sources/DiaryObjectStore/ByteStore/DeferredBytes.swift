package import DiaryCore

/// Bytes that are made when they are needed. A store calls this once for each piece, in order, on the thread that stores the bytes: hashing
/// and sealing then cost no change of thread of their own (decision 0027).
package struct DeferredBytes: Sendable {
    private let make: @Sendable () throws(ObjectStoreError) -> [UInt8]

    package init(_ make: @escaping @Sendable () throws(ObjectStoreError) -> [UInt8]) { self.make = make }

    package func callAsFunction() throws(ObjectStoreError) -> [UInt8] { try make() }
}
