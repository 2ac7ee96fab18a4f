import PostgresClient

/// Where both databases are. Each connection names its own role (decision D3); a password, where the server requires one, comes from
/// libpq's `PGPASSFILE`, so that no setting need hold it.
struct DatabaseSettings: Sendable {
    enum Role: String, Sendable {
        case owner = "diary_owner"
        case api = "diary_api"
        case auth = "diary_auth"
        case worker = "diary_worker"
        case admin = "diary_admin"
        case backup = "diary_backup"

        /// What `pg_stat_activity` and Postgres' log show, unless the connection string names another.
        var applicationName: String { self == .owner ? "diary-migrate" : rawValue.replacing("_", with: "-") }
    }

    let main: String
    let keys: String
    /// Connections of the API's own pool; the others follow from it.
    let poolSize: Int

    init(_ environment: Environment) throws(SettingsError) {
        main = try environment.read(Self.main)
        keys = try environment.read(Self.keys)
        poolSize = try environment.read(Self.poolSize)
    }

    func main(as role: Role) -> ConnectionSettings { Self.settings(main, role) }
    func keys(as role: Role) -> ConnectionSettings { Self.settings(keys, role) }

    private static func settings(_ conninfo: String, _ role: Role) -> ConnectionSettings {
        let isURI = conninfo.hasPrefix("postgres://") || conninfo.hasPrefix("postgresql://")
        let named = isURI ? "\(conninfo)\(conninfo.contains("?") ? "&" : "?")user=\(role.rawValue)" : "\(conninfo) user=\(role.rawValue)"
        return ConnectionSettings(conninfo: named, applicationName: role.applicationName)
    }
}

extension DatabaseSettings {
    static let main = Setting.required(
        "DIARY_DATABASE_URL", .text("libpq connection string without user"), secrecy: .withPassword, "diaries, accounts, jobs",
        example: .set("postgresql://db.example.org/diary?sslmode=verify-full&sslrootcert=/etc/diary/databases-ca.pem"))
    static let keys = Setting.required(
        "DIARY_KEYS_DATABASE_URL", .text("libpq connection string without user"), secrecy: .withPassword, "wrapped keys of people",
        example: .set("postgresql://keys.example.org/diary_keys?sslmode=verify-full&sslrootcert=/etc/diary/databases-ca.pem"))
    static let poolSize = Setting.whole(
        "DIARY_POOL_SIZE", 1...200, default: 8, "connections of the API for members; sign-in has half as many of its own")

    static let group = SettingsGroup(
        title: "Databases and Redis",
        notes: [
            "The service adds its own role to each connection. Passwords belong into a PGPASSFILE.",
            "sslrootcert: the certificates that the databases' are checked against, or /etc/ssl/certs/ca-certificates.crt for those of a public authority.",
        ],
        settings: [main, keys, poolSize, Settings.redis])
}
