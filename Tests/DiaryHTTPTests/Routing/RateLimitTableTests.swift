import DiaryCore
import DiaryHTTP
import DiaryTesting
import HTTPTypes
import TestHTTPClient
import Testing
import WireFormats

@Suite("Routes and the table of rate limits") struct RateLimitTableTests {
    @Test("what a route charges is declared, and counted for the route's own kind of caller")
    func routes() throws {
        let declared = RatePolicies.standard.declared
        for route in try Stub.routes().table().routes {
            for policy in route.limits + route.counted {
                let row = try #require(declared.first { $0.policy == policy }, "\(route.template) charges \(policy.name)")
                #expect(row.subject == (route.access == .member ? .member : .address), "\(route.template) charges \(policy.name)")
            }
            for policy in route.ofSession {
                #expect(declared.first { $0.policy == policy }?.subject == .member, "\(route.template) charges \(policy.name)")
            }
        }
    }

    @Test("a run is charged like the entry whose work it repeats")
    func retries() throws {
        let routes = try Stub.routes().table().routes
        let created = try #require(routes.first { $0.method == .post && $0.template == "/v1/entries" })
        let retried = try #require(routes.first { $0.template == "/v1/entries/{id}/reprocess" })

        #expect(retried.limits == created.limits && created.limits.count == 2)
    }

    @Test("every limit of the table but the guesses is charged by a route")
    func charged() throws {
        let charged = Set(try Stub.routes().table().routes.flatMap { $0.limits + $0.counted })

        #expect(charged == Set(RatePolicies.standard.all))
    }

    @Test("the configuration lists the table")
    func config() async throws {
        try await withRoutes(try Stub.routes()) { (server: Harness) async throws in
            let answer = try await server.ask("GET", "/v1/config")

            guard case .array(let listed)? = answer.json?["rate_policies"] else { throw DiaryError(.internalError) }
            let names = listed.map { policy -> JSONValue? in if case .object(let members) = policy { members["name"] } else { nil } }
            #expect(names == RatePolicies.standard.all.map { .string($0.name) })
        }
    }
}
