/// The service's description of itself, made by the application's wiring.
package struct ServiceDescription: Sendable {
    let contract: ContractFiles
    let version: String
    /// Checks by name (`database`, `keys`, `redis`, `storage`, `workers`); a ready service may lack `redis` and `workers`.
    let readiness: @Sendable () async -> [String: ReadinessState]
    /// A service whose schema is not usable is not ready.
    let schema: @Sendable () -> SchemaState
    /// The public keys of access tokens as a JWK set.
    let jwks: @Sendable () -> String

    package init(
        contract: ContractFiles, version: String,
        readiness: @escaping @Sendable () async -> [String: ReadinessState],
        schema: @escaping @Sendable () -> SchemaState, jwks: @escaping @Sendable () -> String
    ) {
        self.contract = contract
        self.version = version
        self.readiness = readiness
        self.schema = schema
        self.jwks = jwks
    }
}
