import HTTPListener
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport

/// Paths that show the listener from outside.
final class TestApplication: HTTPApplication {
    private let answered = Mutex<[String]>([])

    /// How often a path was answered.
    func answers(to path: String) -> Int { answered.withLock { $0.count { $0 == path } } }

    func respond(to request: Request, on connection: RequestConnection) async -> Response {
        let path = request.head.path ?? ""
        let response = await answer(path, request, connection)
        answered.withLock { $0.append(path) }
        return response
    }

    private func answer(_ path: String, _ request: Request, _ connection: RequestConnection) async -> Response {
        if path.hasPrefix("/held/") {
            await HeldRequests.all.hold(String(path.dropFirst("/held/".count)))
            return Response(status: .noContent)
        }
        return switch path {
        case "/open", "/unread": Self.text(.ok, "ok")
        case "/large": Self.text(.ok, String(repeating: "a", count: 4_000_011))
        case "/known": Self.stream(pieces: 10, of: 30_000, length: 300_000)
        case "/unknown": Self.stream(pieces: 3, of: 5, length: nil)
        case "/endless": Self.stream(pieces: 20_000, of: 50_000, length: 1_000_000_000)
        case "/upload": await Self.upload(request, connection)
        default: Self.text(.notFound, "unknown path")
        }
    }

    func refuse(_ refusal: ListenerRefusal, origin: String?) -> RefusalResponse {
        let status: HTTPResponse.Status =
            switch refusal {
            case .malformedRequest: .badRequest
            case .unknownMethod: .methodNotAllowed
            case .requestTimeout: .requestTimeout
            case .uriTooLong: .uriTooLong
            case .headersTooLarge: .requestHeaderFieldsTooLarge
            }
        let body = ByteBuffer(string: "\(refusal)")
        var headers: HTTPFields = [.connection: "close", .contentLength: "\(body.readableBytes)"]
        headers[.accessControlAllowOrigin] = origin
        return RefusalResponse(status: status, headers: headers, body: body)
    }

    /// Answers with the number of bytes read.
    private static func upload(_ request: Request, _ connection: RequestConnection) async -> Response {
        if request.headers[.expect] != nil { connection.sendContinue() }
        var count = 0
        do {
            for try await piece in request.body { count += piece.readableBytes }
        } catch is BodyTooSlow {
            return text(.requestTimeout, "too slow")
        } catch {
            return text(.badRequest, "broken")
        }
        return text(.ok, "\(count)")
    }

    private static func text(_ status: HTTPResponse.Status, _ text: String) -> Response {
        let body = ByteBuffer(string: text)
        return Response(status: status, headers: [.contentLength: "\(body.readableBytes)"], body: ResponseBody(byteBuffer: body))
    }

    private static func stream(pieces: Int, of size: Int, length: Int?) -> Response {
        let body = ResponseBody(contentLength: length) { writer in
            let piece = ByteBuffer(repeating: UInt8(ascii: "a"), count: size)
            for _ in 0..<pieces { try await writer.write(piece) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: length.map { [.contentLength: "\($0)"] } ?? [:], body: body)
    }
}

/// Requests to `/held/{key}` wait here; a test that ends early ends them with its server.
actor HeldRequests {
    static let all = HeldRequests()
    private var waiting: Set<String> = []

    func hold(_ key: String) async {
        waiting.insert(key)
        while waiting.contains(key), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
        waiting.remove(key)
    }

    /// Waits until the request is there.
    func arrival(_ key: String) async throws {
        try await until(within: .seconds(20)) { await self.waiting.contains(key) }
    }

    /// Waits until the request is there, then lets it go on.
    func release(_ key: String) async throws {
        try await arrival(key)
        waiting.remove(key)
    }
}
