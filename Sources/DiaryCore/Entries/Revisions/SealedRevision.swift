/// An earlier text as it is stored, with the write that replaces it.
package struct SealedRevision: Sendable, Equatable {
    package var layer: TextLayer
    /// The content version of the part that had the text last: it grows within a layer, with gaps.
    package var number: Int64
    package var sealed: [UInt8]
}
