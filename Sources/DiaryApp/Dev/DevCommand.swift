import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryDatabase
import DiaryHTTP
import DiaryObjectStore
import FoundationEssentials
import Glibc
import Logging

struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev", abstract: "Runs everything on this machine: private Postgres and Redis, API, workers, mail as files.",
        discussion: """
            Needs no configuration. State lives in .diary/ of the working directory; mail is written to .diary/mail/*.eml.
            Any setting of the environment that `diary serve` reads may be set and wins over what dev would choose.
            """)

    @Option(help: "Where to listen.")
    var host = "127.0.0.1"

    @Option(help: "Port of the API.")
    var port = 8080

    @Option(help: "How clients reach this server, e.g. http://192.168.1.5:8080; signed URLs and mail links begin with it.")
    var publicURL: String?

    @Option(help: "Where state is kept.")
    var folder = ".diary"

    func validate() throws {
        guard (1...65_535).contains(port) else { throw ValidationError("--port must be 1 to 65535") }
    }

    func run() async throws {
        try refuseTakenPort()
        let folder = try DevFolder(folder)
        let postgres = try DevPostgres(folder)
        let redis = DevRedis(folder)
        let environment = Environment.process.defaulting(to: try settings(folder, postgres, redis))
        let house = try House(environment, label: "diary")
        say("starting Postgres and Redis")
        try await postgres.start()
        do {
            try await redis.start()
            say("migrating")
            try await postgres.prepare(house.settings.database, house.share, house.logger)
            try await firstTenant(house)
            let supervisor = DevSupervisor(postgres: postgres, redis: redis, logger: house.logger)
            let mail = folder.path + "/mail"
            let url = house.settings.publicURL.description
            let services = try house.apiServices { _ in say("ready on \(url) — mail in \(mail), logs on standard error, Ctrl-C stops") }
            try await house.run([supervisor] + services + (try await house.workerServices()))
        } catch {
            await redis.stop()
            if await postgres.isRunning() { try? await postgres.stop() }
            throw error
        }
    }

    private func settings(_ folder: DevFolder, _ postgres: DevPostgres, _ redis: DevRedis) throws -> [String: String] {
        [
            "DIARY_LISTEN": "\(host):\(port)",
            "DIARY_PUBLIC_URL": publicURL ?? "http://\(host == "0.0.0.0" ? "127.0.0.1" : host):\(port)",
            "DIARY_DATABASE_URL": postgres.conninfo("diary"),
            "DIARY_KEYS_DATABASE_URL": postgres.conninfo("diary_keys"),
            "DIARY_REDIS_URL": redis.url,
            "DIARY_OBJECTS": folder.path + "/objects",
            "DIARY_TEMPORARY": folder.path + "/tmp",
            "DIARY_MAIL_OUTBOX": folder.path + "/mail",
            "DIARY_MASTER_KEYS": try folder.secret("master-keys") { "m1:\(Self.random())" },
            "DIARY_SERVICE_SECRET": try folder.secret("service-secret") { Self.random() },
            "DIARY_SIGNING_KEY": try folder.secret("signing-key.pem") { try P256PrivateKey.generate().pem },
        ]
    }

    private static func random() -> String { Data(SecureRandom.bytes(32)).base64EncodedString() }

    /// The main product document's app; with one tenant clients need not name it.
    private func firstTenant(_ house: House) async throws {
        let pool = try ConnectionPool(.init(connection: house.settings.database.main(as: .admin), size: 1), logger: house.logger)
        let tenants = PostgresTenantAdministration(pool: pool)
        if try await tenants.all().isEmpty {
            _ = try await tenants.create(
                Tenant(
                    id: TenantID(UUIDv7.make()), slug: "my-day", name: "My Day", mailFromName: "My Day", mailFromAddress: "diary@localhost",
                    createdAt: Date(), suspendedAt: nil))
        }
        await pool.close()
    }

    /// Said before two servers have been started for nothing.
    private func refuseTakenPort() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        if bound != 0, errno == EADDRINUSE { throw PortTaken(host: host, port: port) }
    }

    struct PortTaken: Error, CustomStringConvertible {
        let host: String
        let port: Int
        var description: String { "port \(port) on \(host) is taken; give another with --port" }
    }
}

/// Progress, apart from the log.
private func say(_ text: String) {
    print("diary dev: \(text)")
    fflush(nil)
}
