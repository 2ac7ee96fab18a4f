/// The service's description of itself, made by the application's wiring.
package struct ServiceDescription: Sendable {
    /// The text of openapi.yaml.
    let openapi: String
    let version: String
    /// Checks by name (`database`, `keys`, `redis`, `storage`); a ready service may lack only `redis`.
    let readiness: @Sendable () async -> [String: Bool]
    /// The public keys of access tokens as a JWK set.
    let jwks: @Sendable () -> String

    package init(
        openapi: String, version: String, readiness: @escaping @Sendable () async -> [String: Bool], jwks: @escaping @Sendable () -> String
    ) {
        self.openapi = openapi
        self.version = version
        self.readiness = readiness
        self.jwks = jwks
    }
}
