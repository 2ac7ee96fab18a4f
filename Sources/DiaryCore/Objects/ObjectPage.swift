package import FoundationEssentials

/// A page of a listing, in order of the keys.
package struct ObjectPage: Sendable, Equatable {
    package struct Object: Sendable, Equatable {
        package var key: ObjectKey
        /// When it came to this key.
        package var storedAt: Date

        package init(key: ObjectKey, storedAt: Date) {
            self.key = key
            self.storedAt = storedAt
        }
    }

    package var objects: [Object]
    /// The next page begins after this key; nil when the listing is complete. A page may be empty and still have a next one.
    package var next: ObjectKey?

    package init(objects: [Object], next: ObjectKey?) {
        self.objects = objects
        self.next = next
    }

    package var keys: [ObjectKey] { objects.map(\.key) }
}
