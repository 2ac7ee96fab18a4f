/// Why bytes of a client never became a request.
package enum ListenerRefusal: Error, Sendable, CaseIterable {
    /// Not HTTP/1, or two servers could read it differently: 400.
    case malformedRequest
    /// A method that no operation has: 405.
    case unknownMethod
    /// The head took longer than `ListenerLimits.head`: 408.
    case requestTimeout
    /// 414.
    case uriTooLong
    /// 431.
    case headersTooLarge
}
