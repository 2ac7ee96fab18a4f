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
