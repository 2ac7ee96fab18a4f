/// How a recording is cut into parts.
package struct PartPlan: Sendable, Equatable {
    package let partSize: Int64
    package let count: Int

    /// From this size on an answer offers parts even when the client did not ask for them.
    package static let fromBytes: Int64 = 16 * 1_048_576
    /// The most entries of one account that may have an open set of parts.
    package static let openMost = 20

    private static let step: Int64 = 1_048_576
}

extension PartPlan {
    /// At most 200 parts, of whole MiB: a link that breaks costs half a part on average, so that 20 breaks cost a 20th of the recording; and
    /// one answer has the URLs of all of them.
    /// - Parameter smallest: what the store takes.
    init(of size: Int64, smallest: Int64) {
        let even = (max(1, size) - 1) / 200 + 1
        partSize = max(smallest, ((even - 1) / Self.step + 1) * Self.step)
        count = Int(clamping: (max(1, size) - 1) / partSize + 1)
    }
}
