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

/// The answer of one check of `/readyz`.
package enum ReadinessState: String, Sendable {
    case ok
    /// It works with a restriction: requests that do not need the rest are served.
    case degraded
    case down

    package init(_ works: Bool) { self = works ? .ok : .down }
}

/// The databases' schemas beside the one this program was built for; of two the worse.
package enum SchemaState: String, Sendable, Comparable {
    case current
    /// Migrated by a newer program, while processes are replaced.
    case newer
    /// Not asked yet, because a database is down.
    case unknown
    /// Migrations are missing.
    case older
    /// The schema is another program's, or the service's role cannot read it.
    case different

    var isUsable: Bool { self == .current || self == .newer }

    private var rank: Int {
        switch self {
        case .current: 0
        case .newer: 1
        case .unknown: 2
        case .older: 3
        case .different: 4
        }
    }

    package static func < (left: SchemaState, right: SchemaState) -> Bool { left.rank < right.rank }
}

/// The contract as it ships beside the program, what `scripts/contract` makes of it, nil where it was not run, and the form of an export's
/// manifest.
package struct ContractFiles: Sendable {
    /// openapi.yaml.
    let yaml: ServedFile
    /// openapi.json.
    let json: ServedFile?
    /// reference.js: Redoc, and what draws the reference with it.
    let reference: ServedFile?
    /// docs/export-manifest.schema.json.
    let exportManifest: ServedFile

    package init(yaml: String, json: String?, reference: String?, exportManifest: String) {
        self.yaml = ServedFile(yaml)
        self.json = json.map { ServedFile($0) }
        self.reference = reference.map { ServedFile($0) }
        self.exportManifest = ServedFile(exportManifest)
    }
}
