import TestDatabases
import Testing

@testable import PostgresClient

@Suite struct PostgresLinkTests {
    @Test("a termination notice and the end of the stream behind it are both read before an idle connection counts as alive (A5)")
    func termination() async throws {
        let database = try await TestDatabase.make()
        let target = try ConnectTarget(database.settings(applicationName: "terminated"))
        let link = try PostgresLink.connect(target, wakeup: EventDescriptor(), isStopped: { false })
        #expect(link.isAlive())

        // Returns when the backend has ended: its notice and the end of the stream are in the socket.
        let kill =
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'terminated' and datname = '\(database.name)'"
        #expect(try await database.sql(kill) == "t")

        #expect(!link.isAlive())
    }
}
