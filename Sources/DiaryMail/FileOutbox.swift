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

/// The outbox's folder, open and locked against other writers until `deinit`.
struct OutboxFolder: ~Copyable {
    private let descriptor: Int32

    init(path: String) throws(MailFailure) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unavailable("outbox folder: errno \(errno)") }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let code = errno
                close(descriptor)
                throw .unavailable("outbox lock: errno \(code)")
            }
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Does nothing when the name exists. The next try overwrites what a crash left under the temporary name.
    func write(_ bytes: [UInt8], as name: String) throws(MailFailure) {
        if faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return }
        let temporary = ".\(name).part"
        do throws(MailFailure) {
            try write(bytes, to: temporary)
            try check(renameat(descriptor, temporary, descriptor, name), "rename")
            try check(fsync(descriptor), "folder sync")
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
    }

    private func write(_ bytes: [UInt8], to name: String) throws(MailFailure) {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        try check(file, "create")
        defer { close(file) }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unavailable("outbox write: errno \(errno)") }
            done += count
        }
        try check(fsync(file), "sync")
    }

    private func check(_ status: Int32, _ step: StaticString) throws(MailFailure) {
        guard status >= 0 else { throw .unavailable("outbox \(step): errno \(errno)") }
    }
}
