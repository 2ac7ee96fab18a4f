import DiaryTesting
import TestHTTPClient
import Testing

@testable import DiaryCore
@testable import DiaryHTTP

@Suite("Pages of error codes") struct ProblemPageTests {
    @Test("every code has a page with what happened, what a client does, the status and whether a retry helps")
    func pages() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            for code in ErrorCode.allCases {
                let page = try await server.ask("GET", "/problems/\(code.rawValue)")
                #expect(page.status == 200)
                #expect(page.header("content-type") == "text/html; charset=utf-8")
                for text in [code.title, code.explanation, code.advice] { #expect(page.text.contains(HTMLPage.escaped(text)), "\(code)") }
                #expect(page.text.contains("<dd>\(code.status)</dd>"))
                #expect(page.text.contains("the same request may succeed later") == code.retryable)
            }
            // Two are codes of requests too, and have those pages.
            for code in ProcessingCode.allCases where ErrorCode(rawValue: code.rawValue) == nil {
                let page = try await server.ask("GET", "/problems/\(code.rawValue)")
                #expect(page.status == 200)
                for text in [code.rawValue, code.explanation, code.advice] {
                    #expect(page.text.contains(HTMLPage.escaped(text)), "\(code)")
                }
                #expect(page.text.contains("another try may succeed") == code.retryableByOwner)
            }
        }
    }

    @Test("no two codes are explained by the same words, and each text is a sentence")
    func texts() {
        #expect(Set(ErrorCode.allCases.map(\.explanation)).count == ErrorCode.allCases.count)
        #expect(Set(ProcessingCode.allCases.map(\.explanation)).count == ProcessingCode.allCases.count)
        let texts =
            ErrorCode.allCases.flatMap { [$0.explanation, $0.advice] } + ProcessingCode.allCases.flatMap { [$0.explanation, $0.advice] }
        for text in texts {
            #expect(text.hasSuffix(".") && text.first?.isUppercase == true, "\(text)")
        }
    }

    @Test("the list has a link to every page, below the public URL's path; an unknown code is 404, as a page in a browser")
    func list() async throws {
        try await withRoutes(Stub.routes()) { (server: Harness) async throws in
            let list = try await server.ask("GET", "/problems")
            #expect(list.status == 200)
            for code in ErrorCode.allCases.map(\.rawValue) + ProcessingCode.allCases.map(\.rawValue) {
                #expect(list.text.contains("href=\"/problems/\(code)\""))
            }

            ProblemTests.expectShape(try await server.ask("GET", "/problems/moon_phase"), 404, "not_found")
            let page = try await server.ask("GET", "/problems/moon_phase", headers: ["Accept: text/html"])
            #expect(page.status == 404 && page.header("content-type") == "text/html; charset=utf-8")
        }
        try await withServer(routes: ProblemRoutes(prefix: PublicPrefix("https://diary.example/api")).routes) {
            (server: Harness) async throws in
            #expect(try await server.ask("GET", "/problems").text.contains("href=\"/api/problems/not_found\""))
        }
    }
}
