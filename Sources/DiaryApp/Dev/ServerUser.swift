import Glibc

/// The user that Postgres and Redis run as when this process is root: Postgres refuses root.
struct ServerUser: Sendable {
    let name: String
    let uid: uid_t
    let gid: gid_t

    /// nil when this process is not root: then they run as its user.
    static func current() throws(SettingsError) -> ServerUser? {
        guard geteuid() == 0 else { return nil }
        for name in ["postgres", "nobody"] {
            if let entry = getpwnam(name) { return ServerUser(name: name, uid: entry.pointee.pw_uid, gid: entry.pointee.pw_gid) }
        }
        throw SettingsError("diary dev", "runs as root, and there is no user postgres or nobody to run Postgres as")
    }

    /// Runs a program as this user, by number and without further groups.
    var tool: Tool { Tool(prefix: ["setpriv", "--reuid=\(uid)", "--regid=\(gid)", "--clear-groups", "--"]) }

    func mayEnter(_ folder: String) -> Bool { FolderPath.isOpen(folder, uid: uid, gid: gid) }
}

enum FolderPath {
    /// Whether a user without an administrator's rights may pass through `folder` and every folder above it.
    static func isOpen(_ folder: String, uid: uid_t, gid: gid_t) -> Bool {
        guard let real = realpath(folder, nil) else { return false }
        defer { free(real) }
        var above = ""
        return ([""] + String(cString: real).split(separator: "/")).allSatisfy { name in
            above += name.isEmpty ? "" : "/" + name
            var facts = stat()
            guard stat(above.isEmpty ? "/" : above, &facts) == 0 else { return false }
            let bit: mode_t = facts.st_uid == uid ? 0o100 : facts.st_gid == gid ? 0o010 : 0o001
            return facts.st_mode & bit != 0
        }
    }
}
