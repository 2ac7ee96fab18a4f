import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import HTTPTypes
import TestHTTPClient
import TestSupport
import Testing
import WireFormats

@testable import DiaryCore
@testable import DiaryHTTP

@Suite("API tokens on the wire") struct TokenAccessTests {
    private static let key = SecretBytes([UInt8](repeating: 5, count: 32))

    private static func header(_ scopes: Set<APITokenScope>, _ key: SecretBytes = TokenAccessTests.key) -> String {
        let owner = Owner(tenant: TestTokens.member.tenant, user: TestTokens.member.user)
        return "Authorization: Bearer " + APIToken(APITokenID(UUID()), scopes, of: owner, key: key).text
    }

    @Test("every operation that takes a session says whether it takes a token, and no other is listed")
    func decided() throws {
        let members = try Stub.routes().table().routes.filter { $0.access == .member }
        let known = Set(members.map { "\($0.method.rawValue) \($0.template)" })

        #expect(members.count >= 70)
        #expect(known.subtracting(TokenAccess.operations.keys) == [])
        #expect(Set(TokenAccess.operations.keys).subtracting(known) == [])
        #expect(TokenAccess.of(.get, "/v1/new") == .session)
    }

    @Test("a token is refused where it lacks a scope or a session is needed, and the answer names what it lacks")
    func scopes() async throws {
        try await withServer(
            routes: Stub.routes().table().routes,
            {
                $0.limiter = NoLimits()
                $0.apiTokenKey = Self.key
            }
        ) { (server: Harness) async throws in
            let refused = try await server.ask("GET", "/v1/speakers", headers: [Self.header([.entriesWrite, .exports])])
            #expect(refused.status == 403)
            #expect(refused.json?["code"] == .string("insufficient_scope"))
            #expect(refused.json?["detail"] == .string("The API token lacks: entries:read."))
            for scopes in [[.entriesRead], [.all]] as [Set<APITokenScope>] {
                #expect(try await server.ask("GET", "/v1/speakers", headers: [Self.header(scopes)]).status == 200)
            }
            for path in ["/v1/sessions", "/v1/me/tokens"] {
                let answer = try await server.ask("GET", path, headers: [Self.header([.all])])
                #expect(answer.status == 403 && answer.json?["code"] == .string("insufficient_scope"))
            }
        }
    }

    @Test("a token that may only add is shown none of the words of an entry that was there")
    func added() async throws {
        var ports = try FeaturePorts.stub()
        let vault = try await ports.memberKeys.vault(of: TestTokens.member)
        let row = Spoken.id.uuid
        let personal = try vault.seal(PersonalPart(title: "Lake"), as: .personal, row: row, version: 1)
        let machine = try vault.seal(MachinePart(raw: "we swam"), as: .machine, row: row, version: 1)
        ports.entries = OneEntryStore(
            StoredEntry(
                facts: Spoken.facts(), personal: SealedColumn(bytes: personal, version: 1),
                machine: SealedColumn(bytes: machine, version: 1)))
        try await withServer(
            routes: try Stub.routes(ports).table().routes,
            {
                $0.limiter = NoLimits()
                $0.apiTokenKey = Self.key
            }
        ) { (server: Harness) async throws in
            let path = "/v1/uploads/\(Spoken.id)/complete"
            let holders: [(scopes: Set<APITokenScope>, isShown: Bool)] = [
                ([.entriesWrite], false), ([.entriesWrite, .exports], false), ([.entriesWrite, .entriesRead], true), ([.all], true),
            ]
            for (scopes, isShown) in holders {
                let answer = try await server.ask("POST", path, headers: [Self.header(scopes)])
                #expect(answer.status == 202)
                #expect(answer.text.contains("we swam") == isShown && answer.text.contains("Lake") == isShown)
            }
        }
    }

    @Test("a token that this service did not make is refused as no access token is")
    func forged() async throws {
        try await withServer(
            routes: Stub.routes().table().routes,
            {
                $0.limiter = NoLimits()
                $0.apiTokenKey = Self.key
            }
        ) { (server: Harness) async throws in
            for header in [
                Self.header([.all], SecretBytes([UInt8](repeating: 6, count: 32))), "Authorization: Bearer diary_token_",
            ] {
                let refused = try await server.ask("GET", "/v1/speakers", headers: [header])
                #expect(refused.status == 401 && refused.json?["code"] == .string("unauthorized"))
            }
        }
    }

    @Test("a token is charged to its member as a session is, a guess and a refused scope to no one")
    func charged() async throws {
        let limiter = ClosableLimiter()
        try await withServer(
            routes: Stub.routes().table().routes,
            {
                $0.limiter = limiter
                $0.apiTokenKey = Self.key
            }
        ) { (server: Harness) async throws in
            let guess = Self.header([.all], SecretBytes([UInt8](repeating: 6, count: 32)))
            for header in [guess, Self.header([.exports])] { _ = try await server.ask("GET", "/v1/speakers", headers: [header]) }
            #expect(limiter.subjects.isEmpty)

            for header in ["Authorization: Bearer good-token", Self.header([.all])] {
                #expect(try await server.ask("GET", "/v1/speakers", headers: [header]).status == 200)
            }
            #expect(limiter.subjects.count == 1)
        }
    }

    @Test("the use of a token is noted, and not at each call")
    func noted() async throws {
        let noted = Noted()
        try await withServer(
            routes: Stub.routes().table().routes,
            {
                $0.limiter = NoLimits()
                $0.apiTokenKey = Self.key
                $0.noteTokenUse = { await noted.add($0) }
            }
        ) { (server: Harness) async throws in
            let header = Self.header([.all])
            for _ in 0..<5 { #expect(try await server.ask("GET", "/v1/speakers", headers: [header]).status == 200) }
            #expect(try await server.ask("GET", "/v1/speakers", headers: ["Authorization: Bearer good-token"]).status == 200)
            #expect(await eventually { await noted.count == 1 })
        }
        #expect(await noted.count == 1)
    }
}

private actor Noted {
    private var members: [Member] = []
    func add(_ member: Member) { members.append(member) }
    var count: Int { members.count }
}
