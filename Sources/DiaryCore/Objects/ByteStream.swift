/// A body that arrives in pieces; `nil` ends it.
package protocol ByteStream: AnyObject, Sendable {
    func next() async throws -> [UInt8]?
}
