import Glibc

/// A listening socket that the service manager hands over (sd_listen_fds(3)). It outlives the process, so that a restart refuses no
/// connection.
enum InheritedSocket {
    /// The first descriptor of the protocol.
    private static let first: Int32 = 3

    /// - Returns: nil when there is none for this process.
    static func descriptor(_ environment: Environment) throws(SettingsError) -> Int32? {
        guard let process = try environment.text(.listenProcess), process == String(getpid()) else { return nil }
        guard try environment.text(.listenSockets) == "1" else {
            throw SettingsError("LISTEN_FDS", "must be 1: the service listens on one socket")
        }
        return first
    }
}
