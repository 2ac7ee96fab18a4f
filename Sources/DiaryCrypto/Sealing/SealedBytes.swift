/// Sealed bytes, from an array or borrowed from a database result, so that a page is not copied before it is opened.
///
/// Unchecked: borrowed bytes do not change, and this value keeps a reference to their owner.
package struct SealedBytes: @unchecked Sendable, Equatable {
    private enum Place {
        case array([UInt8])
        case lent(UnsafeRawBufferPointer, owner: AnyObject)
    }

    private let place: Place

    package init(_ bytes: [UInt8]) { place = .array(bytes) }

    /// - Parameter owner: keeps `bytes` unchanged as long as it lives.
    package init(lent bytes: UnsafeRawBufferPointer, by owner: some AnyObject & Sendable) { place = .lent(bytes, owner: owner) }

    package var array: [UInt8] {
        switch place {
        case .array(let bytes): bytes
        case .lent: withUnsafeBytes { Array($0) }
        }
    }

    func withUnsafeBytes<Value, Failure: Error>(_ read: (UnsafeRawBufferPointer) throws(Failure) -> Value) throws(Failure) -> Value {
        switch place {
        case .array(let bytes):
            try bytes.span.withUnsafeBytes { bytes throws(Failure) in try read(bytes) }
        case .lent(let bytes, let owner):
            try withExtendedLifetime(owner) { () throws(Failure) in try read(bytes) }
        }
    }

    package static func == (one: SealedBytes, other: SealedBytes) -> Bool { one.array == other.array }
}
