import DiaryCore
import HTTPTypes

/// Requests that browsers make for web pages of another origin (the CORS protocol of the Fetch standard). Which origins may read answers is a
/// setting of each app; without one no answer has a CORS field.
///
/// Where the app of an answer is known, its own origins count: of a request with a valid token, a valid signature, or an app that was found.
/// Elsewhere, in a preflight above all, which carries neither token nor `Diary-App`, those of every app do. That is safe because an origin is
/// no credential here: there are no cookies, and `Access-Control-Allow-Credentials` is never sent, so a page reaches nothing that a program
/// without its user's token or link would not (decision 0026).
struct CrossOrigin: Sendable {
    let environment: RequestEnvironment

    /// Every field that an operation reads and that a script may set.
    static let requestFields =
        "Authorization, Content-Type, Diary-App, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, traceparent, X-Amz-Checksum-Sha256, X-Request-Id"
    /// Every field that an operation answers and that a script could not read otherwise.
    static let exposedFields =
        "Accept-Ranges, Allow, Content-Disposition, Content-Range, Date, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Amz-Checksum-Sha256, X-Request-Id"
    /// Seconds that a browser keeps the answer to a preflight, and so the longest that a removed origin may still send requests.
    static let maxAge = "600"

    /// The answer to an OPTIONS request for a known path: the methods, and for a preflight of an allowed origin its CORS fields.
    func options(_ headers: HTTPFields, allow: String) async -> Reply {
        let reply = Reply.noContent.with(.allow, allow)
        guard headers[.accessControlRequestMethod] != nil, let origin = Self.origin(headers), await isAllowed(origin, by: nil) else {
            return reply
        }
        return reply.with(.accessControlAllowMethods, allow).with(.accessControlAllowHeaders, Self.requestFields)
            .with(.accessControlMaxAge, Self.maxAge)
    }

    /// Adds the fields of every answer, also of an error and of a preflight.
    /// - Parameter tenant: nil where the answer belongs to no app.
    func mark(_ answer: inout HTTPFields, of tenant: TenantID?, to request: HTTPFields) async {
        let origin = Self.origin(request)
        Self.vary(&answer, by: origin)
        guard let origin, await isAllowed(origin, by: tenant) else { return }
        Self.allow(origin, in: &answer)
    }

    /// The same for what was refused before it became a request, which belongs to no app. Reads no database: refusals may come in
    /// floods.
    func mark(_ answer: inout HTTPFields, refusing origin: String?) {
        Self.vary(&answer, by: origin)
        guard let origin, environment.knownOrigins().contains(origin) else { return }
        Self.allow(origin, in: &answer)
    }

    /// A cache may give the answer to another page.
    private static func vary(_ answer: inout HTTPFields, by origin: String?) {
        guard origin != nil || answer[.cacheControl] != "no-store" else { return }
        answer[.vary] = answer[.vary].map { "\($0), Origin" } ?? "Origin"
    }

    private static func allow(_ origin: String, in answer: inout HTTPFields) {
        answer[.accessControlAllowOrigin] = origin
        if answer[.accessControlAllowMethods] == nil { answer[.accessControlExposeHeaders] = exposedFields }
    }

    private func isAllowed(_ origin: String, by tenant: TenantID?) async -> Bool { await environment.origins(tenant).contains(origin) }

    /// Origins are compared byte by byte with those that were set; a longer one than any of these is none.
    private static func origin(_ headers: HTTPFields) -> String? {
        let values = headers[values: .origin]
        guard values.count == 1, let value = values.first, value.utf8.count <= 300 else { return nil }
        return value
    }
}
