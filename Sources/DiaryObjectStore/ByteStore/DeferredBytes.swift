package import DiaryCore

/// Bytes that are made when they are needed. A store calls this once for each piece, in order, on the thread that stores the bytes: hashing
/// and sealing then cost no change of thread of their own (decision 0027).
package struct DeferredBytes: Sendable {
    let make: @Sendable () throws(ObjectStoreError) -> [UInt8]

    package func callAsFunction() throws(ObjectStoreError) -> [UInt8] { try make() }
}
