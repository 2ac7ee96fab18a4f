/// A body in pieces; `nil` ends it. One reader: calls of `next` do not overlap.
package protocol ByteStream: AnyObject, Sendable {
    func next() async throws -> [UInt8]?
}
