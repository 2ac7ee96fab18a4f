/// A part that can be encoded for sealing.
package protocol SealablePart: Sendable {
    var plainBytes: [UInt8] { get }
    init?(plain: Span<UInt8>)
}
