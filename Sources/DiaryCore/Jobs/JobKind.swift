/// The name of a kind of job: stored in the database and in Redis, and shown as `processing.stage`. Never changed once released.
///
/// Any text is a name; the kinds of this version are those of `JobCatalogue.diary`.
package struct JobKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}
