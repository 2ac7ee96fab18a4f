/// What `If-Match` names.
package enum VersionMatch: Sendable, Equatable {
    /// `*`, or no condition where none is required.
    case any
    case exactly(Int64)
}
