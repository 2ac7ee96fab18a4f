import DiaryCore
import Synchronization

/// Collects what an export reads.
final class Pages: Sendable {
    private let read = Mutex<[StoredEntry]>([])

    var entries: [StoredEntry] { read.withLock { $0 } }

    func append(_ page: [StoredEntry]) { read.withLock { $0 += page } }
}
