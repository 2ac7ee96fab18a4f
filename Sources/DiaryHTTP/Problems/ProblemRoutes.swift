import DiaryCore
import HTTPTypes

/// A page for each error code, which `type` of a problem names (RFC 9457 section 3.1.1), and the list of them.
struct ProblemRoutes: Sendable {
    /// The template of a code's page.
    static let page = "/problems/{code}"

    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.get, "/problems") { (_: AnonymousContext) in list() },
            Route(.get, Self.page) { (context: AnonymousContext) in
                guard let code = ErrorCode(rawValue: try context.parameter("code")) else { throw DiaryError.notFound }
                return Self.about(code, list: prefix.path("/problems"))
            },
        ]
    }

    private func list() -> Reply {
        let items = ErrorCode.allCases.map { code in
            let address = prefix.path("/problems/\(code.rawValue)")
            return "<dt>\(code.status)</dt><dd><a href=\"\(HTMLPage.escaped(address))\">\(code.rawValue)</a></dd>"
        }
        return Self.page("Error codes", "<dl>\n\(items.joined(separator: "\n"))\n</dl>")
    }

    private static func about(_ code: ErrorCode, list: String) -> Reply {
        let facts = [
            ("Code", code.rawValue), ("Status", String(code.status)),
            ("Retry", code.retryable ? "the same request may succeed later" : "the same request fails again"),
        ]
        let rows = facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" }.joined(separator: "\n")
        return page(
            code.title,
            """
            <p>\(HTMLPage.escaped(code.explanation))</p>
            <p>\(HTMLPage.escaped(code.advice))</p>
            <dl>
            \(rows)
            </dl>
            <p class="small"><a href="\(HTMLPage.escaped(list))">All error codes</a></p>
            """)
    }

    private static func page(_ title: String, _ body: String) -> Reply {
        HTMLPage.reply(.ok, title: title, body).with(.cacheControl, "public, max-age=300")
    }
}
