/// The service's description of itself, made by the application's wiring.
package struct ServiceDescription: Sendable {
    /// The text of openapi.yaml.
    let openapi: String
    let version: String
    /// Checks by name (`database`, `keys`, `redis`, `storage`, `workers`); a ready service may lack `redis` and `workers`.
    let readiness: @Sendable () async -> [String: ReadinessState]
    /// The public keys of access tokens as a JWK set.
    let jwks: @Sendable () -> String

    package init(
        openapi: String, version: String, readiness: @escaping @Sendable () async -> [String: ReadinessState],
        jwks: @escaping @Sendable () -> String
    ) {
        self.openapi = openapi
        self.version = version
        self.readiness = readiness
        self.jwks = jwks
    }
}
