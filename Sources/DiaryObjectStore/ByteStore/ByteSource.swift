/// What a store is to keep, in pieces; `nil` ends it. The store asks for a piece when it has stored the one before.
package protocol ByteSource: AnyObject, Sendable {
    func next() async throws -> DeferredBytes?
}
