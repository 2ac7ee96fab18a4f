import DiaryCore
import FoundationEssentials

/// All objects of a kind, in order of their keys, a page at a time.
struct ListingCursor {
    private let store: any ByteStore
    private let prefix: ObjectPrefix
    private let pageSize: Int
    private var page: ArraySlice<ByteObject> = []
    private var next: ObjectKey?
    private var hasEnded = false

    /// - Parameter after: the listing begins after this key.
    init(_ store: any ByteStore, _ kind: ObjectKey.Kind, after: ObjectKey? = nil, pageSize: Int) {
        self.store = store
        prefix = ObjectPrefix(kind)
        next = after
        self.pageSize = pageSize
    }

    /// The object that is next; nil at the end.
    mutating func peek() async throws(ObjectStoreError) -> ByteObject? {
        while page.isEmpty, !hasEnded {
            let listed = try await store.list(prefix, after: next, olderThan: .distantFuture, limit: pageSize)
            (page, next, hasEnded) = (listed.objects[...], listed.next, listed.next == nil)
        }
        return page.first
    }

    mutating func drop() { page = page.dropFirst() }
}
