import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Usage of engines", .timeLimit(.minutes(2)))
struct UsageStoreTests {
    let database: MigratedDatabase
    let person: Person
    let store: PostgresUsageStore
    /// Ten hours before the end of its day (UTC).
    let now = Date(timeIntervalSince1970: 1_783_173_600)
    var dayEnd: Date { now + 10 * 3_600 }

    init() async throws {
        database = try await MigratedDatabase.shared()
        person = try await Person.make(in: database)
        store = PostgresUsageStore(pool: try database.pool(.worker))
    }

    private func reserve(
        _ amount: UsageAmount, _ limits: UsageLimits, of owner: Owner? = nil, at time: Date? = nil, id: UUID = UUID()
    ) async throws -> ReservationOutcome {
        try await store.reserve(
            UsageReservation(id: id, amount: amount, seconds: 660), within: limits, of: owner ?? person.owner, at: time ?? now)
    }

    private func minutes(_ minutes: Int64) -> UsageAmount { UsageAmount(audioMilliseconds: minutes * 60_000) }
    private static let hour = UsageLimits(minutesPerDay: 60)

    @Test(
        "of 40 parallel calls of three minutes, 20 begin under a limit of an hour; the others are told when the first of them ends (no overshoot)"
    )
    func parallelCalls() async throws {
        let outcomes = try await parallel(40) { _ in try await reserve(minutes(3), Self.hour) }

        #expect(outcomes.count { $0 == .reserved } == 20)
        #expect(outcomes.count { $0 == .heldByOthers(until: now + 660) } == 20)
    }

    @Test("what a call used replaces what it reserved; the day's rest is for the next call, and after the day there is all of it again")
    func settled() async throws {
        let id = UUID()
        #expect(try await reserve(minutes(60), Self.hour, id: id) == .reserved)
        #expect(try await reserve(minutes(1), Self.hour) == .heldByOthers(until: now + 660))
        try await store.settle(id, used: minutes(20), of: person.owner, at: now)

        #expect(try await reserve(minutes(41), Self.hour) == .usedUp(until: dayEnd))
        #expect(try await reserve(minutes(40), Self.hour) == .reserved)
        #expect(try await reserve(minutes(60), Self.hour, at: dayEnd) == .reserved)
    }

    @Test("a call that failed uses nothing; a worker that crashed holds its reservation until the call's time limit, no longer")
    func releases() async throws {
        let id = UUID()
        #expect(try await reserve(minutes(60), Self.hour, id: id) == .reserved)
        try await store.settle(id, used: nil, of: person.owner, at: now)
        #expect(try await reserve(minutes(60), Self.hour) == .reserved)

        #expect(try await reserve(minutes(60), Self.hour, at: now + 659) == .heldByOthers(until: now + 660))
        #expect(try await reserve(minutes(60), Self.hour, at: now + 660) == .reserved)
        #expect(
            try await database.int("select count(*) from usage_reservations where user_id = $1", .uuid(person.owner.user.uuid)) == 1)
    }

    @Test("a call that is larger than a day is refused for good, whatever the day has left")
    func tooLarge() async throws {
        #expect(try await reserve(minutes(61), Self.hour) == .tooLarge)
        #expect(try await reserve(UsageAmount(inputTokens: 600, outputTokens: 500), UsageLimits(tokensPerDay: 1_000)) == .tooLarge)
        #expect(try await reserve(UsageAmount(cost: 11), UsageLimits(appCostPerDay: 10)) == .tooLarge)
        #expect(try await reserve(UsageAmount(audioMilliseconds: 5), UsageLimits(tokensPerDay: 1, costPerDay: 1)) == .reserved)
    }

    @Test("tokens and costs are limited in the same way, and a call without a price goes on when the money is spent")
    func costs() async throws {
        let limits = UsageLimits(tokensPerDay: 100, costPerDay: 1_000)
        try await store.settle(nil, used: UsageAmount(inputTokens: 50, outputTokens: 40, cost: 1_000), of: person.owner, at: now)

        #expect(try await reserve(UsageAmount(inputTokens: 6, outputTokens: 5), limits) == .usedUp(until: dayEnd))
        #expect(try await reserve(UsageAmount(inputTokens: 5, outputTokens: 5), limits) == .reserved)
        #expect(try await reserve(UsageAmount(cost: 1), limits) == .usedUp(until: dayEnd))
        #expect(try await reserve(minutes(60), limits) == .reserved)
    }

    @Test("an app's budget is shared by its accounts: of 40 parallel calls of two accounts 10 begin; another app has its own")
    func ofApp() async throws {
        let colleague = try await Person.make(in: database, tenant: person.owner.tenant)
        let elsewhere = try await Person.make(in: database)
        let limits = UsageLimits(appCostPerDay: 100)
        let owners = [person.owner, colleague.owner]

        let outcomes = try await parallel(40) { number in try await reserve(UsageAmount(cost: 10), limits, of: owners[number % 2]) }

        #expect(outcomes.count { $0 == .reserved } == 10)
        #expect(outcomes.count { $0 == .heldByOthers(until: now + 660) } == 30)
        #expect(try await reserve(UsageAmount(cost: 10), limits, of: elsewhere.owner) == .reserved)
    }

    @Test("days and accounts are told to the operator, who sees an erased account in the days only")
    func reported() async throws {
        let colleague = try await Person.make(in: database, tenant: person.owner.tenant)
        let used = UsageAmount(audioMilliseconds: 1_500, inputTokens: 7, outputTokens: 8, cost: 9)
        for owner in [person.owner, person.owner, colleague.owner] { try await store.settle(nil, used: used, of: owner, at: now) }
        try await store.settle(nil, used: used, of: person.owner, at: dayEnd)
        let reports = PostgresUsageAdministration(pool: try database.pool(.admin))
        let (first, second) = (try day("2026-07-04"), try day("2026-07-05"))

        let days = try await reports.days(of: person.owner.tenant, from: first, to: second)
        let users = try await reports.users(of: person.owner.tenant, from: first, to: first)
        try await database.change("delete from users where id = $1", .uuid(colleague.owner.user.uuid))
        let after = try await reports.days(of: person.owner.tenant, from: first, to: first)

        #expect(days.map(\.key) == [first, second] && days.map(\.calls) == [3, 1])
        #expect(days.first?.amount == UsageAmount(audioMilliseconds: 4_500, inputTokens: 21, outputTokens: 24, cost: 27))
        #expect(users.map(\.key) == [person.owner.user, colleague.owner.user] && users.map(\.calls) == [2, 1])
        #expect(after.first?.calls == 3)
        #expect(try await reports.users(of: person.owner.tenant, from: first, to: first).map(\.key) == [person.owner.user])
    }

    @Test("days are kept for 13 months and then swept, batch by batch, and so is what is left of reservations; sums of apps stay")
    func swept() async throws {
        let database = try await MigratedDatabase.make()
        let sweeps = PostgresSweepStore(pool: try database.pool(.worker))
        for _ in 0..<2 {
            let person = try await Person.make(in: database)
            for table in ["usage_days (tenant_id, user_id, day) select $1, $2", "usage_app_days (tenant_id, day) select $1"] {
                // Of the day that is 13 months ago, and of two before it.
                try await database.change(
                    """
                    insert into \(table), (now() at time zone 'UTC')::date - interval '13 months' - n * interval '1 day'
                    from generate_series(0, 2) n where $2::uuid is not null
                    """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid))
            }
            try await database.change(
                """
                insert into usage_reservations (tenant_id, user_id, id, audio_ms, tokens, cost, expires_at)
                select $1, $2, gen_random_uuid(), 1, 1, 1, now() - n * interval '23 hours' from generate_series(0, 2) n
                """, .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid))
        }
        func rows(_ table: String) async throws -> Int64 { try await database.int("select count(*) from \(table)") }

        #expect(try await sweeps.end(.usageDays, most: 3) == 3, "there is more")
        #expect(try await rows("usage_days") == 3)
        #expect(try await sweeps.end(.usageDays, most: 3) == 1)
        #expect(try await sweeps.end(.usageReservations, most: 3) == 2)

        #expect(try await rows("usage_days") == 2)
        #expect(try await rows("usage_reservations") == 4)
        #expect(try await rows("usage_app_days") == 6)
        #expect(try await database.int("select count(*) from usage_days where day > now() - interval '13 months 2 days'") == 2)
        #expect(try await sweeps.sweepOld(most: 1) == false)
    }

    @Test("a member sees their own use of the day and what they store")
    func ofMember() async throws {
        try await store.settle(nil, used: UsageAmount(audioMilliseconds: 1_500, inputTokens: 7, cost: 9), of: person.owner, at: now)
        let profiles = PostgresProfileStore(pool: try database.pool(.api))
        _ = try await PostgresEntryStore(pool: try database.pool(.api)).create(person.voice(size: 70), by: person.member)

        let today = try await profiles.statistics(of: person.member, at: now).usage
        let tomorrow = try await profiles.statistics(of: person.member, at: dayEnd).usage

        #expect(
            today
                == AccountUsage(
                    day: try day("2026-07-04"), today: UsageAmount(audioMilliseconds: 1_500, inputTokens: 7, cost: 9), storedBytes: 70))
        #expect(tomorrow == AccountUsage(day: try day("2026-07-05"), storedBytes: 70))
    }

    @Test("a consent has the time when it was given, keeps it when given again, is gone when withdrawn; each change is one event")
    func consent() async throws {
        let profiles = PostgresProfileStore(pool: try database.pool(.api))
        let consents = PostgresConsentStore(pool: try database.pool(.worker))
        func change(_ consent: Bool?, locale: String? = nil) async throws -> Date? {
            let patch = ProfilePatch(locale: locale.map { .set($0) } ?? .absent, hostedProcessingConsent: consent)
            let changed = try await profiles.change(
                StoredProfilePatch(nameSealed: .absent, rest: patch), matching: nil, keyID: nil, by: person.member)
            guard case .changed(let profile) = changed else { throw NotWhatWasExpected() }
            return profile.preferences.hostedProcessingConsentAt
        }

        #expect(try await consents.hostedProcessing(of: person.owner) == false)
        let given = try #require(try await change(true))
        #expect(try await consents.hostedProcessing(of: person.owner))
        #expect(try await change(true) == given)
        #expect(try await change(nil, locale: "de") == given)
        #expect(try await change(false) == nil)
        #expect(try await change(false) == nil)
        #expect(try await consents.hostedProcessing(of: person.owner) == false)

        let events = try await profiles.events(nil, before: nil, limit: 10, of: person.member)
        #expect(events.map(\.kind) == [.hostedProcessingWithdrawn, .hostedProcessingAllowed])
        #expect(events.allSatisfy { $0.session == person.member.session && $0.actor == .member })
    }
}
