package import NIOCore

/// The connection a request came on.
package struct RequestConnection: Sendable {
    let channel: any Channel

    /// The other end: the client, or the proxy in front of it.
    package var peer: SocketAddress? { channel.remoteAddress }

    /// The body is about to be read: sends `100 Continue` (RFC 9110 section 10.1.1) unless an answer has begun.
    package func sendContinue() { channel.triggerUserOutboundEvent(ContinueBody(), promise: nil) }

    /// The body is held in memory until it is whole, for `ListenerLimits.collectedBody` seconds at most.
    package func limitCollection() { channel.triggerUserOutboundEvent(CollectedBody(), promise: nil) }
}
