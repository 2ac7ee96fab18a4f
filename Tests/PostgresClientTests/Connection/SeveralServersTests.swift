import TestDatabases
import TestServers
import TestSupport
import Testing

@testable import PostgresClient

@Suite("Several servers in one connection string", .timeLimit(.minutes(2)))
struct SeveralServersTests {
    private static func settings(
        _ hosts: String, _ ports: String, _ rest: String = "", timeout: Duration = .milliseconds(1_500)
    ) -> ConnectionSettings {
        ConnectionSettings(
            conninfo: "host=\(hosts) port=\(ports) dbname=postgres user=postgres \(rest)", applicationName: "several",
            connectTimeout: timeout)
    }

    private static func connect(_ target: ConnectTarget) throws -> PostgresLink {
        try PostgresLink.connect(target, wakeup: EventDescriptor(), isStopped: { false })
    }

    private static func folder(of server: PrivatePostgres) throws -> String { try #require(server.folder) }

    @Test("A5: a first server that accepts and never answers costs its own timeout once; then the second one is tried first")
    func frozenFirst() async throws {
        let server = try await PrivatePostgres.start()
        let silent = try SilentListener()
        let target = try ConnectTarget(Self.settings("127.0.0.1,\(try Self.folder(of: server))", "\(silent.port),5432"))

        let first = try Self.connect(target)
        #expect(first.isAlive())
        #expect(silent.connections() == 1)

        let second = try Self.connect(target)
        #expect(second.isAlive())
        #expect(silent.connections() == 0)
        try await server.remove()
    }

    @Test("A5: a pool whose first server is frozen answers by the second one")
    func pool() async throws {
        let server = try await PrivatePostgres.start()
        let silent = try SilentListener()
        let settings = Self.settings("127.0.0.1,\(try Self.folder(of: server))", "\(silent.port),5432")
        let pool = try ConnectionPool(.init(connection: settings, size: 4, checkoutDeadline: .seconds(30)), logger: .quiet)

        #expect(try await pool.query("select 1")[0].int(0) == 1)
        #expect(await eventually { pool.status.connected == 4 })
        #expect(silent.connections() == 1)
        await pool.close()
        try await server.remove()
    }

    @Test("target_session_attrs chooses among the servers, with a frozen one among them")
    func attributes() async throws {
        let readOnly = try await PrivatePostgres.start(["default_transaction_read_only=on"])
        let primary = try await PrivatePostgres.start()
        let silent = try SilentListener()
        let hosts = "127.0.0.1,\(try Self.folder(of: readOnly)),\(try Self.folder(of: primary))"
        func isReadOnly(_ attributes: String) async throws -> String {
            let settings = Self.settings(hosts, "\(silent.port),5432,5432", "target_session_attrs=\(attributes)")
            let pool = try ConnectionPool(.init(connection: settings, size: 1, checkoutDeadline: .seconds(30)), logger: .quiet)
            let shown = try await pool.query("show default_transaction_read_only")[0].text(0)
            await pool.close()
            return shown
        }

        #expect(try await isReadOnly("read-write") == "off")
        #expect(try await isReadOnly("read-only") == "on")
        // No server is a standby: any will do, in the order of the string.
        #expect(try await isReadOnly("prefer-standby") == "on")
        #expect(try await isReadOnly("any") == "on")
        try await readOnly.remove()
        try await primary.remove()
    }

    @Test("connect_timeout of the string counts for each server; one that is no number is refused")
    func timeout() throws {
        #expect(try ConnectTarget(ConnectionSettings(conninfo: "postgresql://a,b/diary?connect_timeout=2")).connectTimeout == .seconds(2))
        #expect(try ConnectTarget(ConnectionSettings(conninfo: "postgresql://a/diary")).connectTimeout == .seconds(5))
        #expect(try ConnectTarget(ConnectionSettings(conninfo: "postgresql://a/diary?connect_timeout=0")).connectTimeout == .seconds(5))
        #expect(throws: DatabaseError(.configuration)) {
            try ConnectTarget(ConnectionSettings(conninfo: "postgresql://a/diary?connect_timeout=soon"))
        }
    }

    @Test("the lists of a string become its servers; lists that do not fit together stay for libpq to refuse")
    func lists() {
        let two = [ServerEndpoint(host: "a", port: "1"), ServerEndpoint(host: "b", port: "1")]
        #expect(ServerEndpoint.list(in: ["host": "a,b", "port": "1"]) == two)
        #expect(
            ServerEndpoint.list(in: ["host": "a,b", "hostaddr": "127.0.0.1,127.0.0.2", "port": "1,2"])
                == [ServerEndpoint(host: "a", address: "127.0.0.1", port: "1"), ServerEndpoint(host: "b", address: "127.0.0.2", port: "2")])
        #expect(ServerEndpoint.list(in: ["hostaddr": "127.0.0.1,127.0.0.2"]).map(\.address) == ["127.0.0.1", "127.0.0.2"])
        #expect(ServerEndpoint.list(in: [:]) == [ServerEndpoint()])
        #expect(ServerEndpoint.list(in: ["host": "/tmp"]) == [ServerEndpoint(host: "/tmp")])
        #expect(ServerEndpoint.list(in: ["host": "a,b", "port": "1,2,3"]) == [ServerEndpoint(host: "a,b", port: "1,2,3")])
        #expect(ServerEndpoint(host: "/tmp").resolved() == [ServerEndpoint(host: "/tmp")])
        #expect(ServerEndpoint(host: "127.0.0.1").resolved() == [ServerEndpoint(host: "127.0.0.1")])
    }

    @Test("a refused connection names every server's reason, and lists that do not fit are refused")
    func refused() throws {
        let target = try ConnectTarget(Self.settings("/nonexistent-a,/nonexistent-b", "5432"))
        let failure = #expect(throws: PostgresLink.ConnectFailure.self) { _ = try Self.connect(target) }
        guard case .refused(let reason) = failure else {
            Issue.record("not refused")
            return
        }
        #expect(reason.contains("/nonexistent-a") && reason.contains("/nonexistent-b"))

        let wrong = try ConnectTarget(Self.settings("/nonexistent-a,/nonexistent-b", "1,2,3"))
        #expect(throws: PostgresLink.ConnectFailure.self) { _ = try Self.connect(wrong) }
    }
}
