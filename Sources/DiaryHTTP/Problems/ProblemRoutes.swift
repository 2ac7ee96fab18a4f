import DiaryCore
import HTTPTypes

/// A page for each error code, which `type` of a problem names (RFC 9457 section 3.1.1), and for each code of `processing`, and the list of them.
struct ProblemRoutes: Sendable {
    /// The template of a code's page.
    static let page = "/problems/{code}"

    let prefix: PublicPrefix

    var routes: [Route] {
        [
            Route(.get, "/problems") { (_: AnonymousContext) in list() },
            Route(.get, Self.page) { (context: AnonymousContext) in
                let (code, list) = (try context.parameter("code"), prefix.path("/problems"))
                if let code = ErrorCode(rawValue: code) { return Self.about(code, list: list) }
                if let code = ProcessingCode(rawValue: code) { return Self.about(code, list: list) }
                throw DiaryError.notFound
            },
        ]
    }

    private func list() -> Reply {
        func link(_ code: String) -> String { "<a href=\"\(HTMLPage.escaped(prefix.path("/problems/\(code)")))\">\(code)</a>" }
        let errors = ErrorCode.allCases.map { "<dt>\($0.status)</dt><dd>\(link($0.rawValue))</dd>" }
        let reasons = ProcessingCode.allCases.map { "<li>\(link($0.rawValue))</li>" }
        return Self.page(
            "Error codes",
            """
            <dl>
            \(errors.joined(separator: "\n"))
            </dl>
            <h2>Why work on a recording, an export or an import failed or waits</h2>
            <ul>
            \(reasons.joined(separator: "\n"))
            </ul>
            """)
    }

    private static func about(_ code: ErrorCode, list: String) -> Reply {
        let facts = [
            ("Code", code.rawValue), ("Status", String(code.status)),
            ("Retry", code.retryable ? "the same request may succeed later" : "the same request fails again"),
        ]
        return about(code.title, code.explanation, code.advice, facts, list: list)
    }

    private static func about(_ code: ProcessingCode, list: String) -> Reply {
        let words = code.rawValue.replacing("_", with: " ")
        let facts = [
            ("Code", code.rawValue), ("Retry", code.retryableByOwner ? "another try may succeed" : "another try ends the same"),
        ]
        return about(words.prefix(1).uppercased() + String(words.dropFirst()), code.explanation, code.advice, facts, list: list)
    }

    private static func about(
        _ title: String, _ explanation: String, _ advice: String, _ facts: [(String, String)], list: String
    ) -> Reply {
        let rows = facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" }.joined(separator: "\n")
        return page(
            title,
            """
            <p>\(HTMLPage.escaped(explanation))</p>
            <p>\(HTMLPage.escaped(advice))</p>
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
