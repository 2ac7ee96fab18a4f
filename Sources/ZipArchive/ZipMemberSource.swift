/// Supplies one member's bytes when the archive is written. All three calls come from the archive's thread, one member
/// after the other in the order they were added, so they may block; they never run on Swift's cooperative pool.
package protocol ZipMemberSource: AnyObject, Sendable {
    /// Called once, before the first `read`. If it throws, `close` is not called.
    func open() throws
    /// Up to `max` bytes; empty means the end. After the stated length one more call must return no bytes.
    func read(max: Int) throws -> [UInt8]
    /// Called once after a successful `open`, also when reading failed or was cancelled.
    func close()
}
