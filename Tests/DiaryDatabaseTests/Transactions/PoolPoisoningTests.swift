import DiaryCore
import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryDatabase

/// Row C4: one transaction's owner never applies to another.
@Suite("Pool poisoning", .timeLimit(.minutes(2)))
struct PoolPoisoningTests {
    @Test("thousands of mixed calls of 20 members over 3 connections, with errors and cancellations: none sees another's setting (C4)")
    func mixed() async throws {
        let database = try await MigratedDatabase.make()
        let tenant = try await Person.make(in: database).owner.tenant
        var people: [Person] = []
        for _ in 0..<20 { people.append(try await Person.make(in: database, tenant: tenant)) }
        let pool = try ConnectionPool(
            ConnectionPool.Configuration(connection: database.settings(.api), size: 3, checkoutDeadline: .seconds(60)),
            logger: .quiet)
        let transaction = MemberTransaction(pool: pool)
        let setting = Statement("select current_tenant(), current_member(), (select count(*) from users), (select id from users)")

        let each = repetitions(full: 500, fast: 100)
        let counts = try await parallel(20) { [people] number in
            let person = people[number]
            var answered = 0
            for call in 0..<each {
                switch call % 10 {
                case 3:
                    _ = try? await transaction.run(person.member, [setting, Statement("select 1 / 0")])
                case 5:
                    // An unknown session stops before the statement.
                    let unknown = Member(tenant: person.member.tenant, user: person.member.user, session: SessionID(UUID()))
                    if (try? await transaction.run(unknown, [setting])) != nil { Issue.record("an unknown session was answered") }
                case 7 where call % 50 == 7:
                    let task = Task { _ = try? await transaction.run(person.member, [setting, Statement("select pg_sleep(0.01)")]) }
                    task.cancel()
                    await task.value
                case 9:
                    // Without an owner set there is no row, and no error either.
                    let bare = try await pool.run([setting])[0].first
                    if try bare?.uuidOrNil(0) != nil || bare?.uuidOrNil(1) != nil || bare?.int(2) != 0 {
                        Issue.record("a setting was left over")
                    }
                default:
                    let rows = try await transaction.run(person.member, [setting])
                    let row = try #require(rows.first(0))
                    let isOwn =
                        try row.uuid(0) == person.owner.tenant.uuid && row.uuid(1) == person.owner.user.uuid && row.int(2) == 1
                        && row.uuid(3) == person.owner.user.uuid
                    if !isOwn { Issue.record("a call saw another member's setting") }
                    answered += 1
                }
            }
            return answered
        }

        #expect(counts.reduce(0, +) >= 12 * each)
    }
}
