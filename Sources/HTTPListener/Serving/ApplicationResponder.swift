import HummingbirdCore
import NIOCore
import NIOHTTP1

/// Hands a request to the application and writes its answer.
struct ApplicationResponder: Sendable {
    let application: any HTTPApplication

    /// Concurrent, which here is the connection's own loop: Hummingbird's writer may be used in one place only.
    @concurrent func respond(to request: Request, through writer: consuming ResponseWriter, on channel: any Channel) async throws {
        let response = await application.respond(to: request, on: RequestConnection(channel: channel))
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // Thrown on, it would be answered a second time.
            throw AnswerBroken()
        }
    }
}

/// The request's body broke while its answer was being written.
struct AnswerBroken: Error {}
