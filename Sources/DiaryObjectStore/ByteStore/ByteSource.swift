/// The bytes for a store, in pieces; `nil` ends it. The store reads a piece when it has stored the one before.
package protocol ByteSource: AnyObject, Sendable {
    func next() async throws -> DeferredBytes?
}
