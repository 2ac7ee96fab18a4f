import Glibc

/// The name of the person who runs a command, for `diary tenant acts`.
enum OperatorName {
    /// Who called sudo, or who is logged in. A process without a login (a unit, a container, cron) has neither variable, so the owner of the
    /// process is looked up; a user id without a name is given as `uid 1000`.
    static func find(_ variables: [String: String], uid: uid_t = getuid()) -> String {
        for name in ["SUDO_USER", "LOGNAME", "USER"] {
            if let value = variables[name], !value.isEmpty { return value }
        }
        return getpwuid(uid).map { String(cString: $0.pointee.pw_name) } ?? "uid \(uid)"
    }
}
