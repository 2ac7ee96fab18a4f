import TestDatabases
import Testing

@testable import PostgresClient

@Suite struct PostgresLinkTests {
    @Test("a farewell and the end behind it are both read before an idle connection counts as alive (A5)")
    func farewell() async throws {
        let database = try await TestDatabase.make()
        let target = try ConnectTarget(database.settings(applicationName: "farewell"))
        let link = try PostgresLink.connect(target, wakeup: EventDescriptor(), isStopped: { false })
        #expect(link.isAlive())

        // Returns when it is gone: its last words and the end lie in the socket.
        let kill =
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'farewell' and datname = '\(database.name)'"
        #expect(try await database.sql(kill) == "t")

        #expect(!link.isAlive())
    }
}
