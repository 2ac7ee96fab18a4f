import Glibc

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
