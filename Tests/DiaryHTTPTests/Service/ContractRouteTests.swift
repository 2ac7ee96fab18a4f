import DiaryTesting
import NIOCore
import TestHTTPClient
import Testing

@testable import DiaryHTTP

@Suite("Contract routes") struct ContractRouteTests {
    @Test("the contract is served as YAML and as JSON, and beside it the form of an export's manifest and the script of the reference")
    func forms() async throws {
        let json = try #require(Stub.contract.json)
        let reference = try #require(Stub.contract.reference)
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            for (path, type, text) in [
                ("/openapi.yaml", "application/yaml; charset=utf-8", String(buffer: Stub.contract.yaml.bytes)),
                ("/openapi.json", "application/json", String(buffer: json.bytes)),
                ("/schemas/export-manifest-3.json", "application/schema+json", String(buffer: Stub.contract.exportManifest.bytes)),
                ("/docs/reference.js", "text/javascript; charset=utf-8", String(buffer: reference.bytes)),
            ] {
                let answer = try await server.ask("GET", path)
                #expect(answer.status == 200)
                #expect(answer.header("content-type") == type)
                #expect(answer.header("cache-control") == "public, max-age=300")
                #expect(answer.text == text)
                let tag = try #require(answer.header("etag"))
                for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                    let kept = try await server.ask("GET", path, headers: ["If-None-Match: \(known)"])
                    #expect(kept.status == 304 && kept.text.isEmpty && kept.header("etag") == tag, "\(known)")
                    #expect(kept.header("cache-control") == "public, max-age=300" && kept.header("content-length") == nil)
                }
                #expect(try await server.ask("GET", path, headers: ["If-None-Match: \"x\", 1"]).status == 200)
                #expect(try await server.ask("POST", path).status == 405)
            }
        }
    }

    @Test("the first page has three calls to this service and leads to the reference, below the public URL's path, and has no script")
    func start() async throws {
        let routes = DocsRoutes(contract: Stub.contract, publicURL: "https://diary.example/api").routes
        try await withServer(routes: routes) { (server: Harness) async throws in
            let page = try await server.ask("GET", "/docs")

            #expect(page.status == 200 && page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.header("cache-control") == "public, max-age=300")
            for text in ["1. Sign in", "2. Upload", "3. Read", "curl -sS https://diary.example/api/v1/auth/email"] {
                #expect(page.text.contains(text), "\(text)")
            }
            for path in ["/docs/reference", "/openapi.yaml", "/problems"] { #expect(page.text.contains("href=\"/api\(path)\"")) }
            #expect(!page.text.contains("{url}") && !page.text.contains("scripts/contract"))
            let policy = try #require(page.header("content-security-policy"))
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && !policy.contains("script-src"))
        }
    }

    @Test("the reference alone may run a script, and only one of this service")
    func policy() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let page = try await server.ask("GET", "/docs/reference")

            #expect(page.status == 200 && page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.text.contains("<script src=\"reference.js\"></script>"))
            #expect(
                page.header("content-security-policy")
                    == "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            )
        }
    }

    @Test("a build without what scripts/contract makes says so, and does not lead to what is missing")
    func notMade() async throws {
        let contract = ContractFiles(yaml: "openapi: 3.1.0\n", json: nil, reference: nil, exportManifest: "{}")
        let routes = DocsRoutes(contract: contract, publicURL: "https://diary.example").routes
        try await withServer(routes: routes) { (server: Harness) async throws in
            let page = try await server.ask("GET", "/docs")
            #expect(page.status == 200 && page.text.contains("run <code>scripts/contract</code>"))
            #expect(!page.text.contains("href=\"/docs/reference\""))
            for path in ["/openapi.json", "/docs/reference", "/docs/reference.js"] {
                let answer = try await server.ask("GET", path)
                ProblemTests.expectShape(answer, 404, "not_found")
                #expect(answer.text.contains("scripts/contract"), "\(path)")
            }
            #expect(try await server.ask("GET", "/openapi.yaml").status == 200)
        }
    }
}
