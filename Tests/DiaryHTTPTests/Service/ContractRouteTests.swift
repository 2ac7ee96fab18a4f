import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import NIOCore
import TestHTTPClient
import Testing

@testable import DiaryHTTP

@Suite("Contract routes") struct ContractRouteTests {
    @Test("the contract is served as YAML, as JSON and as a page, and beside it the form of an export's manifest")
    func forms() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            for (path, type, text) in [
                ("/openapi.yaml", "application/yaml; charset=utf-8", String(buffer: Stub.contract.yaml.bytes)),
                ("/openapi.json", "application/json", String(buffer: Stub.contract.json.bytes)),
                ("/schemas/export-manifest-3.json", "application/schema+json", String(buffer: Stub.contract.exportManifest.bytes)),
                ("/docs", "text/html; charset=utf-8", String(buffer: Stub.contract.page.bytes)),
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

    @Test("the page may load nothing but its own style, by the digest of the style that it has")
    func policy() async throws {
        let digest = Data(SHA256.digest(Array("p{margin:0}".utf8))).base64EncodedString()
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let policy = try await server.ask("GET", "/docs").header("content-security-policy")

            #expect(
                policy
                    == "default-src 'none'; style-src 'sha256-\(digest)'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            )
        }
    }
}
