import DiaryCore
import Synchronization

/// Collects what an export reads.
final class Pages: Sendable {
    private let read = Mutex<[StoredExportEntry]>([])

    var entries: [StoredEntry] { read.withLock { $0.map(\.entry) } }
    var all: [StoredExportEntry] { read.withLock { $0 } }

    func append(_ page: [StoredExportEntry]) { read.withLock { $0 += page } }
}
