package import DiaryCore

/// A page of objects, in order of their keys.
package struct ByteListing: Sendable, Equatable {
    package var objects: [ByteObject]
    /// The next page begins after this key; nil when the listing is complete. A page may be empty and still have a next one.
    package var next: ObjectKey?
}
