import DiaryCore
import HTTPTypes

/// The contract as files, and two pages for people who write clients: `/docs` begins with three calls, and behind it is the reference.
struct DocsRoutes: Sendable {
    let contract: ContractFiles
    /// Without a slash at its end.
    let publicURL: String

    var routes: [Route] {
        [
            Route(.get, "/openapi.yaml") { (context: AnonymousContext) in
                contract.yaml.reply("application/yaml; charset=utf-8", to: context.exchange)
            },
            Route(.get, "/openapi.json") { (context: AnonymousContext) in
                try Self.made(contract.json).reply("application/json", to: context.exchange)
            },
            Route(.get, "/schemas/export-manifest-3.json") { (context: AnonymousContext) in
                contract.exportManifest.reply("application/schema+json", to: context.exchange)
            },
            Route(.get, "/docs") { (_: AnonymousContext) in start() },
            Route(.get, "/docs/reference") { (_: AnonymousContext) in
                _ = try Self.made(contract.reference)
                return Reply.text(type: "text/html", Self.reference).with(.cacheControl, "public, max-age=300")
                    .with(.contentSecurityPolicy, Self.referencePolicy)
            },
            Route(.get, "/docs/reference.js") { (context: AnonymousContext) in
                try Self.made(contract.reference).reply("text/javascript; charset=utf-8", to: context.exchange)
            },
        ]
    }

    private static func made(_ file: ServedFile?) throws(DiaryError) -> ServedFile {
        guard let file else {
            throw DiaryError(.notFound, detail: "It was not made with this build: run scripts/contract, then start again.")
        }
        return file
    }

    private func start() -> Reply {
        let prefix = PublicPrefix(publicURL)
        func link(_ path: String, _ words: String) -> String { "<a href=\"\(HTMLPage.escaped(prefix.path(path)))\">\(words)</a>" }
        let calls = Self.calls.map { call in
            let commands = call.commands.replacing("{url}", with: publicURL)
            return """
                <h2>\(call.title)</h2>
                <p>\(call.words)</p>
                <pre><code>\(HTMLPage.escaped(commands))</code></pre>
                """
        }
        let reference =
            contract.reference == nil
            ? "The reference was not made with this build: run <code>scripts/contract</code>, then start the service again."
            : "\(link("/docs/reference", "The reference")) has every operation, with what it takes and answers."
        let page = HTMLPage.reply(
            .ok, title: "Diary API", isWide: true,
            """
            <p>A recording becomes words in three steps, here by <code>curl</code> and <code>jq</code>. An account is made in the app, or by \
            <code>POST /v1/auth/email/register</code> and the code that is mailed (<code>/v1/auth/email/verify</code>).</p>
            \(calls.joined(separator: "\n"))
            <h2>Everything else</h2>
            <p>\(reference)</p>
            <p>\(link("/openapi.yaml", "openapi.yaml")) is the contract from which clients are generated; \
            \(link("/problems", "the error codes")) say what a client does.</p>
            """)
        return page.with(.cacheControl, "public, max-age=300")
    }

    /// `{url}` stands for the service's address. The words are HTML.
    private static let calls: [(title: String, words: String, commands: String)] = [
        (
            "1. Sign in", "The answer also has a refresh token, and a device token for the next sign-in.",
            #"""
            token=$(curl -sS {url}/v1/auth/email \
              -H 'Diary-App: my-day' -H 'Content-Type: application/json' \
              -d '{"email":"anna@example.org","password":"seven quiet lighthouses"}' | jq -r .access_token)
            """#
        ),
        (
            "2. Upload", "A recording is announced, sent to the address in the answer, and reported as complete.",
            #"""
            made=$(curl -sS {url}/v1/entries \
              -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
              -d '{"kind":"voice","content_type":"audio/mp4","size_bytes":'$(wc -c <walk.m4a)'}')
            curl -sS -T walk.m4a "$(echo "$made" | jq -r .upload.url)" -H 'Content-Type: audio/mp4'
            id=$(echo "$made" | jq -r .entry_id)
            curl -sS -X POST {url}/v1/uploads/$id/complete -H "Authorization: Bearer $token"
            """#
        ),
        (
            "3. Read", "When <code>status</code> is <code>transcribed</code>, the words are there.",
            #"""
            curl -sS {url}/v1/entries/$id -H "Authorization: Bearer $token"
            """#
        ),
    ]

    /// Redoc draws the rest of it, from `/openapi.json`. Addresses are relative, so that they hold below a path too.
    private static let reference = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="\(HTMLPage.icon("#2f5d50"))">
        <title>Diary API: reference</title>
        <style>
        :root{color-scheme:light dark}
        body{margin:0;font:1rem/1.5 system-ui,sans-serif;background:#fff;color:#1d1d1f}
        nav,main>p{margin:0;padding:.75rem 1rem}
        a{color:#2f5d50}
        #reference h5,#reference h5 span{color:inherit}
        #reference pre{white-space:pre-wrap;overflow-wrap:anywhere}
        #reference .react-tabs__tab--selected{color:#1d1d1f}
        @media(prefers-color-scheme:dark){body{background:#161618;color:#ececee}a{color:#8cc4b3}}
        </style>
        </head>
        <body>
        <nav><a href="../docs">Diary API: the first calls</a></nav>
        <main id="reference"><p>The reference is drawn by a script. Without scripts, read <a href="../openapi.yaml">openapi.yaml</a>.</p></main>
        <script src="reference.js"></script>
        </body>
        </html>

        """

    /// For this page alone: Redoc's script, the styles it writes, the contract, and the worker of its search.
    private static let referencePolicy =
        "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; worker-src blob:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
