import PostgresClient

/// Where both databases are. Each connection names its own role (D3); passwords, where the server asks for them, are libpq's own business
/// (`PGPASSFILE`), so that no setting need hold one.
struct DatabaseSettings: Sendable {
    enum Role: String, Sendable {
        case owner = "diary_owner"
        case api = "diary_api"
        case auth = "diary_auth"
        case worker = "diary_worker"
        case admin = "diary_admin"
        case backup = "diary_backup"
    }

    let main: String
    let keys: String
    /// Connections of the API's own pool; the others follow from it.
    let poolSize: Int

    init(_ environment: Environment) throws(SettingsError) {
        main = try environment.required("DIARY_DATABASE_URL")
        keys = try environment.required("DIARY_KEYS_DATABASE_URL")
        poolSize = try environment.integer("DIARY_POOL_SIZE", 1...200, default: 8)
    }

    func main(as role: Role) -> ConnectionSettings { Self.settings(main, role) }
    func keys(as role: Role) -> ConnectionSettings { Self.settings(keys, role) }

    private static func settings(_ conninfo: String, _ role: Role) -> ConnectionSettings {
        let isURI = conninfo.hasPrefix("postgres://") || conninfo.hasPrefix("postgresql://")
        let named = isURI ? "\(conninfo)\(conninfo.contains("?") ? "&" : "?")user=\(role.rawValue)" : "\(conninfo) user=\(role.rawValue)"
        return ConnectionSettings(conninfo: named, applicationName: "diary")
    }
}
