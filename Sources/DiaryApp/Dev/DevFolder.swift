import DiaryCrypto
import FoundationEssentials
import Glibc

/// `.diary/`: everything `diary dev` keeps. Keys, objects, mail and logs lie in it; databases too, unless this is root, whose databases run as an
/// ordinary user in a folder that user may enter. The file `run` points to that folder, which also has the sockets (a socket's path has 107 bytes at most).
struct DevFolder {
    let path: String
    let runFolder: String
    /// Whom the databases run as, when we are root.
    let serverUser: String?
    private let lock: Int32
    private let runLock: Int32

    struct Taken: Error, CustomStringConvertible {
        let path: String
        var description: String { "another `diary dev` is running on \(path); stop it first, or give this one --folder" }
    }

    init(_ path: String) throws {
        self.path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        try Self.make(self.path)
        lock = open(self.path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw SettingsError("--folder", "cannot be written") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw Taken(path: self.path) }
        serverUser = geteuid() == 0 ? Self.ordinaryUser() : nil
        (runFolder, runLock) = try Self.runFolder(self.path, owner: serverUser)
        for name in ["objects", "mail", "tmp"] { try Self.make(self.path + "/" + name) }
    }

    /// Data folders: beside the sockets when another user must enter them, else in `.diary`.
    var data: String { serverUser == nil ? path : runFolder }

    /// Runs a program as the servers' user.
    var tool: Tool {
        guard let serverUser else { return Tool() }
        // By number: the group of `nobody` is `nogroup`.
        let group = getpwnam(serverUser).map { String($0.pointee.pw_gid) } ?? serverUser
        return Tool(prefix: ["setpriv", "--reuid=\(serverUser)", "--regid=\(group)", "--clear-groups", "--"])
    }

    /// Reads a secret, making it at the first start. One that is there and cannot be read is never replaced: without it nothing opens again.
    func secret(_ name: String, _ make: () throws -> String) throws -> String {
        let file = path + "/" + name
        if let data = FileManager.default.contents(atPath: file) { return String(decoding: data, as: UTF8.self) }
        guard access(file, F_OK) != 0, errno == ENOENT else { throw SettingsError("--folder", "\(file) cannot be read") }
        let text = try make()
        let descriptor = open(file + ".new", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SettingsError("--folder", "cannot be written") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0, rename(file + ".new", file) == 0 else {
            throw SettingsError("--folder", "cannot be written")
        }
        return text
    }

    private static func make(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SettingsError("--folder", "\(path) cannot be made") }
    }

    private static func ordinaryUser() -> String {
        getpwnam("postgres") != nil ? "postgres" : "nobody"
    }

    /// With its lock: a copy of `.diary` points to the run folder of the one it was copied from.
    private static func runFolder(_ path: String, owner: String?) throws -> (String, Int32) {
        let pointer = path + "/run"
        if let data = FileManager.default.contents(atPath: pointer) {
            let known = String(decoding: data, as: UTF8.self).trimmed
            if isOurs(known, owner) {
                if let lock = locked(known) { return (known, lock) }
                // The other one's databases are in there; sockets alone can be made anew.
                if owner != nil { throw Taken(path: known) }
            }
        }
        let name = "\(owner == nil ? "/tmp" : "/var/tmp")/diary-\(Hex.encode(SecureRandom.bytes(4)))"
        guard mkdir(name, 0o700) == 0 else { throw SettingsError("--folder", "\(name) cannot be made") }
        if let owner, let user = getpwnam(owner) {
            guard chown(name, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
                throw SettingsError("--folder", "\(name) cannot be given to \(owner)")
            }
        }
        guard FileManager.default.createFile(atPath: pointer, contents: Data(name.utf8)) else {
            throw SettingsError("--folder", "cannot be written")
        }
        guard let lock = locked(name) else { throw SettingsError("--folder", "\(name) cannot be locked") }
        return (name, lock)
    }

    /// nil when another process has it.
    private static func locked(_ folder: String) -> Int32? {
        let descriptor = open(folder + "/lock", O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// A folder that still belongs to whom we would give it to, and to nobody else.
    private static func isOurs(_ path: String, _ owner: String?) -> Bool {
        var facts = stat()
        guard path.hasPrefix("/"), lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_mode & 0o077 == 0 else {
            return false
        }
        let wanted = owner.flatMap { getpwnam($0) }.map { $0.pointee.pw_uid } ?? geteuid()
        return facts.st_uid == wanted
    }
}
