import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// From Hummingbird's request to the written answer.
struct Answering: Sendable {
    let dispatcher: Dispatcher
    let logger: Logger
    let dates: DateLine

    /// Concurrent, which here is the connection's own loop: Hummingbird's writer may be used in one place only.
    @concurrent func respond(to request: Request, through writer: consuming ResponseWriter, on channel: any Channel) async throws {
        var response: Response
        do {
            response = try await dispatcher.respond(
                to: request, context: ConnectionContext(source: .init(channel: channel, logger: logger)))
        } catch let error as HTTPParserError {
            throw error
        } catch {
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = dates.text
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
