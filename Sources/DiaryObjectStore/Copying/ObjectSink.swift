package import DiaryCore
import FoundationEssentials

/// Takes objects one after the other, as they are stored.
package protocol ObjectSink: AnyObject {
    func begin(_ key: ObjectKey) throws
    func write(_ bytes: [UInt8]) throws
    func end() throws
    /// Takes back the object that was begun; it may be begun again.
    func discard() throws
    /// Whether an object has been begun and ended.
    func has(_ key: ObjectKey) -> Bool
}

/// An object that an export of its app lacks.
package struct ObjectGap: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A row names it, and it is not in the store.
        case missing = "missing_object"
        /// The store does not return it whole.
        case unreadable
        /// The store did not serve it at any try, and did serve others.
        case unanswered
    }

    package let kind: Kind
    package let key: ObjectKey
}

/// All objects of a kind, in order of their keys, a page at a time.
struct ListingCursor {
    private let store: any ByteStore
    private let prefix: ObjectPrefix
    private let pageSize: Int
    private var page: ArraySlice<ByteObject> = []
    private var place: ObjectKey?
    private var hasEnded = false

    /// - Parameter after: the listing begins after this key.
    init(_ store: any ByteStore, _ kind: ObjectKey.Kind, after: ObjectKey, pageSize: Int) {
        self.store = store
        prefix = ObjectPrefix(kind)
        place = after
        self.pageSize = pageSize
    }

    /// Nil at the end.
    mutating func next() async throws(ObjectStoreError) -> ByteObject? {
        while page.isEmpty, !hasEnded {
            let listed = try await store.list(prefix, after: place, olderThan: .distantFuture, limit: pageSize)
            (page, place, hasEnded) = (listed.objects[...], listed.next, listed.next == nil)
        }
        return page.popFirst()
    }
}
