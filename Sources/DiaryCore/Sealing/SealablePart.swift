/// A part that knows its own sealed form.
package protocol SealablePart: Sendable {
    var plainBytes: [UInt8] { get }
    init?(plain: Span<UInt8>)
}
