import DiaryCore
import DiaryTesting
import FoundationEssentials

@testable import DiaryHTTP

/// The whole table over ports that have nothing: what is left is parsing, rendering and the rules of HTTP. The real ports are
/// behind the black-box suite.
extension Stub {
    /// A good mailed link.
    static func token(expiresIn seconds: Double = 3600) -> String {
        ExportLink(owner: owner, export: export.id, expiresAt: now + seconds, links: StubLinks()).token
    }

    static let contract = ContractFiles(
        yaml: "openapi: 3.1.0\n", json: #"{"openapi":"3.1.0"}"#, reference: "Redoc.init('../openapi.json')",
        exportManifest: #"{"type":"object"}"#)

    static func routes(
        tenants: [Tenant] = [tenant("diary")], redisIsUp: Bool = true, databaseIsUp: Bool = true, storage: ReadinessState = .ok,
        workersAreUp: Bool = true, schema: SchemaState = .current
    ) throws -> DiaryRoutes {
        try routes(
            FeaturePorts.stub(tenants: tenants), redisIsUp: redisIsUp, databaseIsUp: databaseIsUp, storage: storage,
            workersAreUp: workersAreUp, schema: schema)
    }

    /// Over ports of which the test has replaced some.
    static func routes(
        _ ports: FeaturePorts, redisIsUp: Bool = true, databaseIsUp: Bool = true, storage: ReadinessState = .ok,
        workersAreUp: Bool = true, schema: SchemaState = .current
    ) throws -> DiaryRoutes {
        DiaryRoutes(
            features: DiaryFeatures(ports),
            service: ServiceDescription(
                contract: contract, version: "0.0.0",
                readiness: {
                    [
                        "database": ReadinessState(databaseIsUp), "keys": .ok, "redis": ReadinessState(redisIsUp), "storage": storage,
                        "workers": ReadinessState(workersAreUp),
                    ]
                }, schema: { schema }, jwks: { "{\"keys\":[]}" }),
            limits: ports.limits, publicURL: ports.publicURL)
    }
}

func withRoutes(_ routes: DiaryRoutes, _ test: @escaping @Sendable (Harness) async throws -> Void) async throws {
    try await withServer(routes: routes.table().routes, { $0.limiter = NoLimits() }, test)
}
