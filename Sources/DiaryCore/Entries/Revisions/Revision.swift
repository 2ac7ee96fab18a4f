package import FoundationEssentials

/// An earlier text of an entry, for its owner.
package struct Revision: Sendable {
    package var number: Int64
    package var layer: TextLayer
    /// When the text was replaced.
    package var createdAt: Date
    /// nil when it was altered in the database and does not open.
    package var content: RevisionPart?
}
