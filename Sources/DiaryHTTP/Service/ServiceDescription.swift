package import DiaryCore

/// The service's description of itself, made by the application's wiring.
package struct ServiceDescription: Sendable {
    /// The text of openapi.yaml.
    let openapi: String
    let version: String
    /// Those in which recordings are recognised; the same for every app.
    let languages: SpeechLanguages
    /// Checks by name (`database`, `keys`, `redis`, `storage`, `workers`); a ready service may lack `redis` and `workers`.
    let readiness: @Sendable () async -> [String: ReadinessState]
    /// A service whose schema is not usable is not ready.
    let schema: @Sendable () -> SchemaState
    /// The public keys of access tokens as a JWK set.
    let jwks: @Sendable () -> String

    package init(
        openapi: String, version: String, languages: SpeechLanguages, readiness: @escaping @Sendable () async -> [String: ReadinessState],
        schema: @escaping @Sendable () -> SchemaState, jwks: @escaping @Sendable () -> String
    ) {
        self.openapi = openapi
        self.version = version
        self.languages = languages
        self.readiness = readiness
        self.schema = schema
        self.jwks = jwks
    }
}
