/// What is left on a disk for an ordinary user.
package struct DiskSpace: Sendable, Equatable {
    package var bytes: Int64
    /// nil on a file system that makes its inodes as it needs them.
    package var files: Int64?
}
