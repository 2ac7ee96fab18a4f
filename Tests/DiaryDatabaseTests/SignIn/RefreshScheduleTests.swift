import DiaryCore
import Foundation
import PostgresClient
import TestSupport
import Testing
import WireFormats

@testable import DiaryDatabase

/// Rows B5 to B7 (Must 5): random schedules of an owner who loses answers and a thief who stole a token, against a model of the rules.
@Suite("Refresh schedules", .timeLimit(.minutes(5)))
struct RefreshScheduleTests {
    /// The rules of decision 0020 for one session. Time is in seconds since its start.
    private struct Rules {
        enum Answer: Equatable { case successor, tooOften, refused }

        var newest = 1
        var rotatedAt = 0.0
        var uses = 0
        var countedAt = -1_000.0
        var isRevoked = false

        mutating func use(_ number: Int, at now: Double) -> Answer {
            if isRevoked || number > newest { return .refused }
            if number == newest {
                (newest, rotatedAt, uses, countedAt) = (newest + 1, now, 0, -1_000)
                return .successor
            }
            guard number == newest - 1, now - rotatedAt < 60 else {
                isRevoked = true
                return .refused
            }
            if now - countedAt < 10 { return .successor }
            guard uses < 3 else { return .tooOften }
            (uses, countedAt) = (uses + 1, now)
            return .successor
        }

        /// Within two seconds of a limit, which schedules avoid so that no result depends on timing.
        func isOnEdge(_ now: Double) -> Bool { abs(now - rotatedAt - 60) < 2 || abs(now - countedAt - 10) < 2 }
    }

    private struct Outcome {
        var steps = 0
        var reuses = 0
        var insideGrace = 0
        var tooOften = 0
        var ownerLoggedOutInside = 0
        var wrong: [String] = []
    }

    private static func play(_ application: AccountApplication, _ email: MailAddress, seed: UInt64) async throws -> Outcome {
        var random = SplitMix64(seed: seed)
        var outcome = Outcome()
        let first = try await application.byPassword.run(
            email, password: "right", device: SignInDevice(), from: application.origin, in: application.tenant)
        var rules = Rules()
        var tokens = [first.refreshToken]
        var owner = 0
        var thief: Int?
        var now = 0.0
        let step = { (seconds: Double) async throws in
            try await application.pass(seconds, for: first.session)
        }
        func shown(_ number: Int, by who: String) async throws -> Rules.Answer {
            if rules.isOnEdge(now) {
                now += 5
                try await step(5)
            }
            let inside = number + 1 == rules.newest - 1 && now - rules.rotatedAt < 60 && !rules.isRevoked
            let wasRevoked = rules.isRevoked
            let expected = rules.use(number + 1, at: now)
            let got: Rules.Answer
            do throws(DiaryError) {
                let answer = try await application.rotate.run(tokens[number], from: application.origin)
                got = .successor
                if tokens.count == number + 1 {
                    tokens.append(answer.refreshToken)
                } else if tokens[number + 1] != answer.refreshToken {
                    outcome.wrong.append("two successors of \(number)")
                }
            } catch { got = error.code == .rateLimited ? .tooOften : .refused }
            outcome.steps += 1
            if got != expected { outcome.wrong.append("\(who) shows \(number + 1) at \(now): \(got), not \(expected)") }
            if inside {
                outcome.insideGrace += 1
                if got == .refused, who == "owner" { outcome.ownerLoggedOutInside += 1 }
            }
            if got == .tooOften { outcome.tooOften += 1 }
            if rules.isRevoked, !wasRevoked {
                outcome.reuses += 1
                if try await application.lives(first.session) { outcome.wrong.append("reuse of \(number + 1) ended nothing") }
            } else if !rules.isRevoked, try await !application.lives(first.session) {
                outcome.wrong.append("ended without reuse")
            }
            return got
        }
        for _ in 0..<Int(random.next() % 10 + 4) {
            let pause = [1.0, 3, 7, 15, 25, 40, 55, 70, 300, 3_000][Int(random.next() % 10)]
            now += pause
            try await step(pause)
            switch random.next() % 5 {
            case 0: if thief == nil { thief = owner }
            case 1, 2:
                // The thief continues with the newest stolen token; a shadow stays one step behind.
                if let held = thief, try await shown(held, by: "thief") == .successor, random.next() % 2 == 0 { thief = held + 1 }
            default:
                // The owner repeats the request while answers are lost.
                repeat {
                    let answer = try await shown(owner, by: "owner")
                    let isLost = random.next() % 3 == 0
                    if answer == .successor, !isLost { owner += 1 }
                    if answer != .successor || !isLost { break }
                    now += 4
                    try await step(4)
                } while true
            }
        }
        return outcome
    }

    @Test(
        "B5, B6, B7: in hundreds of schedules of owner and thief the owner is never logged out inside the grace, and every reuse after it ends the session"
    )
    func schedules() async throws {
        let application = try await AccountApplication.make()
        let each = repetitions(full: 125, fast: 25)
        let seed = UInt64(Date().timeIntervalSince1970 * 1_000)
        // An account has a hundred open sessions at most.
        let emails = try (0..<16).map { _ in try AccountApplication.address() }
        for email in emails { _ = try await application.member(email) }

        let outcomes = try await parallel(8) { connection in
            var all: [Outcome] = []
            for number in 0..<each {
                all.append(
                    try await Self.play(application, emails[2 * connection + number % 2], seed: seed &+ UInt64(connection * 1_000 + number))
                )
            }
            return all
        }.flatMap(\.self)

        let steps = outcomes.map(\.steps).reduce(0, +)
        let reuses = outcomes.map(\.reuses).reduce(0, +)
        let inside = outcomes.map(\.insideGrace).reduce(0, +)
        let often = outcomes.map(\.tooOften).reduce(0, +)
        print(
            "Must 5, seed \(seed): \(outcomes.count) schedules, \(steps) uses, \(inside) inside the grace, \(often) too often, \(reuses) reuses"
        )
        #expect(outcomes.count == 8 * each)
        #expect(outcomes.flatMap(\.wrong).prefix(5) == [], "seed \(seed)")
        #expect(outcomes.map(\.ownerLoggedOutInside).reduce(0, +) == 0, "seed \(seed)")
        #expect(reuses > outcomes.count / 10 && inside > outcomes.count / 10)
        // Every reuse is among the account's events, and every one that was counted within the grace.
        var events: [String] = []
        for email in emails { events += try await application.events(try #require(try await application.owner(email))) }
        #expect(events.count { $0 == "refresh_reused anonymous" } == reuses)
        #expect(events.count { $0 == "refresh_repeated anonymous" } > 0)
    }

    @Test("B6: 200 answers lost in a row, each requested again, keep the owner signed in")
    func lostAnswers() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        var token = try await application.member(email).tokens.refreshToken
        for _ in 0..<200 {
            let lost = try await application.rotate.run(token, from: application.origin)
            let again = try await application.rotate.run(token, from: application.origin)

            #expect(again.refreshToken == lost.refreshToken)
            token = again.refreshToken
        }
    }

    @Test("B5: any ancestor of the newest token ends the session at once and the owner is notified; a forged one ends nothing")
    func ancestors() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let (member, first) = try await application.member(email)
        var tokens = [first.refreshToken]
        for _ in 0..<20 { tokens.append(try await application.rotate.run(tokens[tokens.count - 1], from: application.origin).refreshToken) }
        func code(_ token: String) async -> ErrorCode? {
            await refusal { () throws(DiaryError) in try await application.rotate.run(token, from: application.origin) }?.code
        }
        // The right session and number with another secret.
        var forged = try #require(Base64URL.decode(tokens[3]))
        forged[80] ^= 1

        #expect(await code(Base64URL.encode(forged)) == .refreshRefused)
        #expect(try await application.lives(member.session))
        #expect(await code(tokens[3]) == .refreshRefused)

        #expect(try await !application.lives(member.session))
        #expect(await code(tokens[20]) == .refreshRefused)
        #expect(try await application.events(member.owner).last == "refresh_reused anonymous")
        #expect(try await application.mails(email).last.map { "\($0.kind) \($0.to)" } == "session_reused \(email.text)")
        await #expect(throws: DiaryError.self) { _ = try await application.sessions.sessions(of: member) }
    }

    @Test("B5: a session ends for its reuse also when the account has no address to notify")
    func withoutAddress() async throws {
        let application = try await AccountApplication.make()
        let email = try AccountApplication.address()
        let (member, first) = try await application.member(email)
        try await application.database.change("delete from identities where user_id = $1", .uuid(member.user.uuid))
        _ = try await application.rotate.run(first.refreshToken, from: application.origin)
        try await application.pass(61, for: member.session)

        let error = await refusal { () throws(DiaryError) in try await application.rotate.run(first.refreshToken, from: application.origin)
        }

        #expect(error?.code == .refreshRefused)
        #expect(try await !application.lives(member.session))
        #expect(try await application.mails(of: member.owner).count == 1, "the sign-up's alone")
    }

    @Test("B7: within the grace a token is accepted three times, ten seconds apart, each recorded; the fourth must wait and ends nothing")
    func graceUses() async throws {
        let application = try await AccountApplication.make()
        let (member, first) = try await application.member(try AccountApplication.address())
        _ = try await application.rotate.run(first.refreshToken, from: application.origin)
        for _ in 0..<3 {
            _ = try await application.rotate.run(first.refreshToken, from: application.origin)
            _ = try await application.rotate.run(first.refreshToken, from: application.origin)
            try await application.pass(11, for: member.session)
        }

        let error = await refusal { () throws(DiaryError) in try await application.rotate.run(first.refreshToken, from: application.origin)
        }

        #expect(error?.code == .rateLimited)
        #expect(try await application.lives(member.session))
        #expect(try await application.events(member.owner).count { $0 == "refresh_repeated anonymous" } == 3)
    }
}
