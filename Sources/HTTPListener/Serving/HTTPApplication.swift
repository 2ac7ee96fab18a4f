package import HummingbirdCore

/// What a listener serves.
package protocol HTTPApplication: Sendable {
    /// Answers one request; runs on the event loop of its connection.
    func respond(to request: Request, on connection: RequestConnection) async -> Response

    /// Answers what was refused before it became a request. The connection ends behind this answer, so its fields must hold
    /// `Connection: close` and the `Content-Length` of the body.
    /// - Parameter origin: the head's `Origin`, where that was read whole and once before the refusal.
    func refuse(_ refusal: ListenerRefusal, origin: String?) -> RefusalResponse
}
