import BlockingCalls
package import DiaryCore
package import FoundationEssentials
import Glibc

/// Mail as `<id>.eml` files in a folder of the operator. Each is written under a temporary name, synced and renamed, so that a file is
/// complete or absent; a second mail with the same id is dropped. Several processes may share the folder.
package final class FileOutbox: MailTransport {
    private let folder: String
    private let now: @Sendable () -> Date
    private let pool = BlockingPool(threads: 1)

    /// Creates the folder (not its parents) with mode 0700.
    package init(folder: String, now: @escaping @Sendable () -> Date = { Date() }) throws(MailFailure) {
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw .unavailable("outbox folder: errno \(errno)") }
        if chmod(folder, 0o700) != 0 { throw .unavailable("outbox folder: errno \(errno)") }
        self.folder = folder
        self.now = now
    }

    package func send(_ message: OutgoingMessage) async throws(MailFailure) {
        let bytes = try MailMessageBuilder.bytes(of: message, date: now())
        let name = "\(message.id).eml"
        let folder = folder
        try await pool.run { () throws(MailFailure) in try OutboxFolder(path: folder).write(bytes, as: name) }
    }
}
