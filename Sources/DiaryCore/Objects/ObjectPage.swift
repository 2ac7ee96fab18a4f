/// A page of a listing, in order of the keys.
package struct ObjectPage: Sendable, Equatable {
    package var keys: [ObjectKey]
    /// The next page begins after this key; nil when the listing is complete. A page may be empty and still have a next one.
    package var next: ObjectKey?

    package init(keys: [ObjectKey], next: ObjectKey?) {
        self.keys = keys
        self.next = next
    }
}
