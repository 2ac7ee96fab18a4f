/// Where a server listens.
package enum ListenAddress: Sendable, Equatable {
    /// Port 0 takes a free one.
    case tcp(host: String, port: Int)
    /// At most 107 bytes of path.
    case unix(path: String)
    /// A listening stream socket that another process opened and keeps (systemd.socket(5)): what waits in its queue when this process
    /// ends is for its successor.
    case inherited(descriptor: Int32)
}
