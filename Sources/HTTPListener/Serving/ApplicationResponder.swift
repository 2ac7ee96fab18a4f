import HummingbirdCore
import NIOCore
import NIOHTTP1

/// Hands a request to the application and writes its answer.
struct ApplicationResponder: Sendable {
    let application: any HTTPApplication

    /// Concurrent, which under the task's executor preference is the connection's own loop: the writer may be used in one
    /// isolation domain only.
    @concurrent func respond(to request: Request, through writer: consuming ResponseWriter, on channel: any Channel) async throws {
        let response = await application.respond(to: request, on: RequestConnection(channel: channel))
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
