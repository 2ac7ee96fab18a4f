package import HTTPTypes
package import HummingbirdCore
package import NIOCore
import NIOHTTP1

/// What a listener serves.
package protocol HTTPApplication: Sendable {
    /// Answers one request; runs on the event loop of its connection.
    func respond(to request: Request, on connection: RequestConnection) async -> Response

    /// Answers what was refused before it became a request. The connection ends behind this answer, so its fields must hold
    /// `Connection: close` and the `Content-Length` of the body.
    /// - Parameter origin: the head's `Origin`, where that was read whole and once before the refusal.
    func refuse(_ refusal: ListenerRefusal, origin: String?) -> RefusalResponse
}

/// The connection a request came on.
package struct RequestConnection: Sendable {
    let channel: any Channel
    let table: ConnectionTable

    /// False once the client has closed the connection or its side of it: what takes long ends early, and is answered all the same.
    package var isAwaited: Bool { table.connection(of: channel).map { !$0.isInputClosed } ?? false }

    /// The other end: the client, or the proxy in front of it.
    package var peer: SocketAddress? { channel.remoteAddress }

    /// The body is about to be read: sends `100 Continue` (RFC 9110 section 10.1.1) unless an answer has begun.
    package func sendContinue() { channel.triggerUserOutboundEvent(ContinueBody(), promise: nil) }

    /// The body is held in memory until it is whole, for `ListenerLimits.collectedBody` seconds at most.
    package func limitCollection() { channel.triggerUserOutboundEvent(CollectedBody(), promise: nil) }
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

/// Hands a request to the application and writes its answer.
struct ApplicationResponder: Sendable {
    let application: any HTTPApplication
    let table: ConnectionTable

    /// Concurrent, which under the task's executor preference is the connection's own loop: the writer may be used in one
    /// isolation domain only.
    @concurrent func respond(to request: Request, through writer: consuming ResponseWriter, on channel: any Channel) async throws {
        let response = await application.respond(to: request, on: RequestConnection(channel: channel, table: table))
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // Hummingbird would answer this error a second time.
            throw AnswerBroken()
        }
    }
}

/// The request's body broke while its answer was being written.
struct AnswerBroken: Error {}
