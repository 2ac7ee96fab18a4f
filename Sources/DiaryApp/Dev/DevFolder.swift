import DiaryCrypto
import FoundationEssentials
import Glibc
import WireFormats

/// `.diary/`: everything `diary dev` keeps: keys, objects, mail, logs and databases (`DatabaseFolder` says where those are). The file `run`
/// names a folder below `/tmp` for the servers' sockets, whose paths have 107 bytes at most; it is made again whenever it is missing.
struct DevFolder {
    let path: String
    let runFolder: String
    let databases: DatabaseFolder
    /// The user that the databases run as, when this process is root.
    let serverUser: ServerUser?
    /// Plain recordings while a job works on them. Not in `.diary` where only root may enter: the media sandbox runs without privileges.
    let temporary: String
    private let lock: Int32

    struct Taken: Error, CustomStringConvertible {
        let path: String
        var description: String { "another `diary dev` is running on \(path); stop it first, or give this one --folder" }
    }

    init(_ folder: String) throws {
        let path = Self.absolute(folder)
        self.path = path
        serverUser = try .current()
        try Self.make(path)
        lock = try Self.own(path)
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw Taken(path: path) }
        // The servers' user may pass through it to their data, but not list it.
        if let serverUser, chown(path, 0, serverUser.gid) != 0 || chmod(path, 0o710) != 0 {
            throw SettingsError("--folder", "\(path) cannot be shared with \(serverUser.name): \(String(cString: strerror(errno)))")
        }
        databases = try DatabaseFolder(of: path, for: serverUser)
        try Self.refuseFullDisk(databases.path)
        runFolder = Self.knownRunFolder(path, owner: serverUser) ?? "/tmp/diary-\(Hex.encode(SecureRandom.bytes(4)))"
        temporary = geteuid() != 0 || FolderPath.isOpen(path, uid: geteuid(), gid: getegid()) ? path + "/tmp" : databases.path + ".tmp"
        for folder in [path + "/objects", path + "/mail", temporary] { try Self.make(folder) }
    }

    static func absolute(_ folder: String) -> String {
        folder.hasPrefix("/") ? folder : FileManager.default.currentDirectoryPath + "/" + folder
    }

    /// Whether a `diary dev` holds the folder's lock.
    static func isInUse(_ folder: String) -> Bool {
        let descriptor = open(folder + "/lock", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A shared lock, so that two commands that check at the same time do not take each other for the service.
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0
    }

    /// Makes the folder and locks it for the life of the process. Called late, so that from then on every way of stopping removes it.
    func makeRunFolder() throws {
        guard mkdir(runFolder, 0o700) == 0 else {
            if errno == EEXIST, Self.isOurs(runFolder, serverUser) { return }
            throw Self.cannotWrite("/tmp")
        }
        if let serverUser, chown(runFolder, serverUser.uid, serverUser.gid) != 0 {
            throw SettingsError("--folder", "\(runFolder) cannot be given to \(serverUser.name)")
        }
        try Self.write(runFolder, to: path + "/run")
        guard Self.isLocked(runFolder) else { throw SettingsError("--folder", "\(runFolder) cannot be locked") }
    }

    /// Runs programs as the servers' user.
    var tool: Tool { serverUser?.tool ?? Tool() }

    /// After a clean end nothing is left below `/tmp`.
    func removeRunFolder() { try? FileManager.default.removeItem(atPath: runFolder) }

    /// Reads a secret, making it at the first start. An unreadable one is never replaced: the databases could not be opened again.
    func secret(_ name: String, _ make: () throws -> String) throws -> String {
        let file = secretFile(name)
        if let data = FileManager.default.contents(atPath: file) { return String(decoding: data, as: UTF8.self) }
        guard access(file, F_OK) != 0, errno == ENOENT else { throw SettingsError("--folder", "\(file) cannot be read") }
        // The databases hold data that only this secret opens.
        guard !databases.isMade else {
            throw SettingsError("--folder", "\(file) is gone; without it the databases in \(databases.path) cannot be opened")
        }
        let text = try make()
        try Self.write(text, to: file)
        return text
    }

    func secretFile(_ name: String) -> String { path + "/" + name }

    /// Atomically, and synced to the disk.
    static func write(_ text: String, to file: String) throws {
        let descriptor = open(file + ".new", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw cannotWrite(file) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0, rename(file + ".new", file) == 0 else {
            throw cannotWrite(file)
        }
    }

    private static func make(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw SettingsError("--folder", "\(path) cannot be made: \(String(cString: strerror(errno)))")
        }
    }

    /// The lock of a folder that this user owns. Files that root writes into another user's folder would be unusable for that user.
    private static func own(_ path: String) throws -> Int32 {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { throw SettingsError("--folder", "\(path) is no folder") }
        guard facts.st_uid == geteuid() else {
            let owner = getpwuid(facts.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "user \(facts.st_uid)"
            throw SettingsError("--folder", "\(path) belongs to \(owner): run as \(owner), or give another --folder")
        }
        let descriptor = open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw cannotWrite(path) }
        return descriptor
    }

    private static func cannotWrite(_ path: String) -> SettingsError {
        SettingsError("--folder", "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }

    /// A new cluster takes 60 MB, and Postgres ends when it cannot write.
    private static func refuseFullDisk(_ path: String) throws {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return }
        let free = (UInt64(facts.f_bavail) * UInt64(facts.f_frsize)) >> 20
        guard free >= 200 else { throw SettingsError("--folder", "the disk of \(path) has \(free) MB free; at least 200 MB are needed") }
    }

    /// Where the servers of an earlier run may still listen. A locked one belongs to the original that this folder is a copy of.
    private static func knownRunFolder(_ path: String, owner: ServerUser?) -> String? {
        guard let data = FileManager.default.contents(atPath: path + "/run") else { return nil }
        let known = String(decoding: data, as: UTF8.self).trimmed
        return isOurs(known, owner) && isLocked(known) ? known : nil
    }

    /// Takes the lock and keeps it; false when another process has it.
    private static func isLocked(_ folder: String) -> Bool {
        let descriptor = open(folder + "/lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        close(descriptor)
        return false
    }

    /// A folder that belongs to the expected user and is closed to all others.
    private static func isOurs(_ path: String, _ owner: ServerUser?) -> Bool {
        var facts = stat()
        guard path.hasPrefix("/tmp/diary-"), lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_mode & 0o077 == 0 else {
            return false
        }
        return facts.st_uid == owner?.uid ?? geteuid()
    }
}
