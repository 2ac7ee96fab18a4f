import DiaryCrypto
import FoundationEssentials
import Glibc
import ServiceLifecycle
import SystemPackage
import WireFormats

/// This process's folder for plain recordings: `worker-<16 hex>` (0700) below the configured one, with the lock file
/// `worker-<16 hex>.lock` beside it, which is held for the life of the process (decision D15).
///
/// The lock comes before the folder and goes after it, so that a folder whose lock can be taken belongs to an ended process.
final class TemporaryFolder: Service {
    let path: String
    /// Never closed while the service lives; the kernel ends the lock with the process.
    private let lock: FileLock

    /// Makes `parent` when it is missing, removes the folders of ended processes, and makes a new one. Nothing else there is touched.
    init(in parent: String) throws {
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Self.wipe(parent)
        let (path, lock) = try Self.claim(parent)
        self.path = path
        self.lock = lock
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// First of its services, so last to stop: by then no job uses the folder. After any other end the next start removes it.
    func run() async throws {
        do { try await gracefulShutdown() } catch { return }
        try? FileManager.default.removeItem(atPath: path)
        lock.unlink()
    }

    /// Another starting process may mistake a fresh lock file for an ended process's and remove it: then a new name is tried.
    private static func claim(_ parent: String) throws -> (path: String, lock: FileLock) {
        for _ in 0..<100 {
            let path = "\(parent)/\(prefix)\(Hex.encode(SecureRandom.bytes(8)))"
            if let lock = try FileLock(path + suffix, isNew: true), lock.isInPlace { return (path, lock) }
        }
        throw CocoaError(.fileWriteUnknown)
    }

    private static func wipe(_ parent: String) throws {
        let files = FileManager.default
        for name in Set(try files.contentsOfDirectory(atPath: parent).compactMap(ownName)) {
            let path = "\(parent)/\(name)"
            guard let lock = try? FileLock(path + suffix, isNew: false) else { continue }
            // The service makes folders only: a file of that name stays.
            let type = try? files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if type == .typeDirectory { try files.removeItem(atPath: path) }
            lock.unlink()
        }
    }

    /// The folder's name when `name` is that of such a folder or of its lock file; nil for others.
    private static func ownName(_ name: String) -> String? {
        let folder = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
        let digits = folder.dropFirst(prefix.count).utf8
        let isHex = digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        return folder.hasPrefix(prefix) && digits.count == 16 && isHex ? folder : nil
    }

    private static let prefix = "worker-"
    private static let suffix = ".lock"
}

/// An exclusive `flock` on a file, held for the life of this object.
private final class FileLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Nil when another process holds it.
    /// - Parameter isNew: throws when the file exists already; otherwise it is made when it is missing.
    init?(_ path: String, isNew: Bool) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (isNew ? O_EXCL : 0), 0o600)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// False when the file has been removed, so that the next one to open the path gets another.
    var isInPlace: Bool {
        var held = stat()
        return fstat(descriptor, &held) == 0 && held.st_nlink > 0
    }

    func unlink() { _ = Glibc.unlink(path) }
}
