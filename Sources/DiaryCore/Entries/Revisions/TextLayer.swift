/// The texts of an entry of which earlier ones are kept. Stored; never changes.
package enum TextLayer: String, Sendable, CaseIterable {
    /// The text as recognised. Replaced by a later recognition.
    case raw
    /// Cleaned for reading. Replaced by a later cleaning, and taken away by a later recognition.
    case clean
    /// Written by the owner.
    case edited
    /// What was recognised with the owner's corrections, which a later recognition takes away.
    case corrected

    /// Revisions of a layer that are kept.
    package static let kept = 20
}
