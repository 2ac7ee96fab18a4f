package import HTTPTypes
package import HummingbirdCore
package import NIOCore

/// What a listener serves.
package protocol HTTPApplication: Sendable {
    /// Answers one request; runs on the event loop of its connection.
    func respond(to request: Request, on connection: RequestConnection) async -> Response

    /// Answers what was refused before it became a request. The connection ends behind this answer, so its fields must hold
    /// `Connection: close` and the `Content-Length` of the body.
    func refuse(_ refusal: ListenerRefusal) -> RefusalResponse
}

/// The connection a request came on.
package struct RequestConnection: Sendable {
    let channel: any Channel

    /// The other end: the client, or the proxy in front of it.
    package var peer: SocketAddress? { channel.remoteAddress }

    /// The body is about to be read: sends `100 Continue` (RFC 9110 section 10.1.1) unless an answer has begun.
    package func sendContinue() { channel.triggerUserOutboundEvent(ContinueBody(), promise: nil) }
}

/// A whole answer to what never became a request.
package struct RefusalResponse: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var body: ByteBuffer

    package init(status: HTTPResponse.Status, headers: HTTPFields, body: ByteBuffer) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
