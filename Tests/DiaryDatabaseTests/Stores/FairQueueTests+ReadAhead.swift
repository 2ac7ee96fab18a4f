import DiaryCore
import PostgresClient
import Testing

@testable import DiaryDatabase

/// Jobs that a claim reads ahead, and those that it looks for when they are used up.
extension FairQueueTests {
    @Test("a job that another transaction holds is passed over, whether its account has been read ahead whole or not", arguments: [2, 5])
    func locked(limit: Int) async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(4, of: person)

        let holder = try await scene.database.holding(Statement("select from jobs order by run_at limit 2 for update"))
        let claimed = try await scene.claim(limit)
        _ = try await holder.run([Statement("rollback")])
        let rest = try await scene.claim(5)

        #expect(claimed.count == 2)
        #expect(rest.count == 2 && Set((claimed + rest).map(\.id)).count == 4)
    }

    @Test("A13: jobs behind many that may have crashed a worker are claimed")
    func behindSuspects() async throws {
        let scene = try await Scene.make()
        let person = try await Person.make(in: scene.database)
        try await scene.add(9, of: person)
        try await scene.database.change("update jobs set crashes = 1")
        try await scene.add(2, of: person)

        let claimed = try await scene.claim(3)

        #expect(claimed.map(\.crashes) == [1, 0, 0])
    }

    @Test("A13, C6: an account that was not read ahead has its turn in the same claim when those before it have suspects alone")
    func notReadAhead() async throws {
        let scene = try await Scene.make()
        var people: [Person] = []
        for use in [0.0, 1, 2] {
            let person = try await Person.make(in: scene.database)
            people.append(person)
            try await scene.add(1, of: person)
            try await scene.database.change(
                "insert into queue_use (queue, subject, seconds) values ('media', use_subject($1), $2)", .uuid(person.owner.tenant.uuid),
                .double(use))
        }
        try await scene.database.change(
            "update jobs set crashes = 1 where tenant_id <> $1", .uuid(try #require(people.last).owner.tenant.uuid))

        let claimed = try await scene.claim(2)

        #expect(claimed.map(\.owner) == [people[0], people[2]].map(\.owner))
    }

    @Test("C6: a job that another transaction holds is not counted: neither as its account's use, nor as one of the claim's long jobs")
    func heldIsNotCounted() async throws {
        let scene = try await Scene.make()
        let people = [try await Person.make(in: scene.database), try await Person.make(in: scene.database)]
        for person in people {
            try await scene.add(1, of: person, cost: 60)
            try await scene.add(2, of: person)
        }
        let first = people[0].owner
        // The held ones come first.
        try await scene.database.change(
            "insert into queue_use (queue, subject, seconds) select q, use_subject($1), 90 from unnest(array['media', 'media long']) q",
            .uuid(people[1].owner.tenant.uuid))
        let holder = try await scene.database.holding(
            Statement("select from jobs where user_id = $1 for update", [.uuid(first.user.uuid)]))

        let claimed = try await scene.claim(6, longMost: 1)

        _ = try await holder.run([Statement("rollback")])
        #expect(claimed.map(\.owner) == [people[1], people[1], people[1]].map(\.owner) && claimed.count { $0.isLong } == 1)
        #expect(
            try await scene.database.int(
                "select count(*) from queue_use where subject in (use_subject($1), use_subject($1, $2))", .uuid(first.tenant.uuid),
                .uuid(first.user.uuid)) == 0)
        #expect(try await scene.claim(6, longMost: 1).count == 3)
    }
}
