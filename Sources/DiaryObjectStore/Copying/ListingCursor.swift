import DiaryCore
import FoundationEssentials

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
