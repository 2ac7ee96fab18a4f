import DiaryCrypto
import DiaryRedis
import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

/// B9, on the real limiter of one process, with a fixed clock.
@Suite("Guesses of passwords") struct GuessLimitTests {
    private let serviceKeys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 5, count: 32)))
    private let address: [UInt8] = [1, 2, 3]
    private let member = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
    private let clock = TestClock()
    private let guesses: GuessLimit

    init() {
        let turned = self.clock
        guesses = GuessLimit(
            limiter: LocalRateLimiter(now: { turned.now.timeIntervalSince1970 }),
            policy: RatePolicy(name: "guesses", shape: .backoff(free: 5, first: 1, longest: 900)), serviceKeys: self.serviceKeys,
            clock: turned.wall)
    }

    /// nil when the guess was right.
    private func guess(_ subject: GuessLimit.Subject, _ outcome: ErrorCode? = .invalidCredentials) async -> ErrorCode? {
        do throws(DiaryError) {
            try await guesses.counting(subject, from: nil) { _ async throws(DiaryError) -> Void in
                if let outcome { throw DiaryError(outcome) }
            }
            return nil
        } catch {
            return error.code
        }
    }

    /// As many known devices of the address.
    private func devices(_ count: Int) -> [GuessLimit.Subject] {
        (0..<count).map { _ in guesses.subject(address, SignInDevice(token: guesses.devices.issue(for: address))) }
    }

    @Test("five wrong guesses are free, one that comes too early is not made, and a right one resets the count")
    func counts() async {
        for _ in 0..<2 {
            for _ in 0..<4 { #expect(await guess(.member(member)) == .invalidCredentials) }
            #expect(await guess(.member(member), nil) == nil)
        }
        for _ in 0..<5 { #expect(await guess(.member(member)) == .invalidCredentials) }

        do throws(DiaryError) {
            try await guesses.counting(.member(member), from: nil) { _ async throws(DiaryError) -> Void in
                Issue.record("it was made")
            }
            Issue.record("it was not refused")
        } catch {
            #expect(error == DiaryError(.rateLimited, retryAfter: 1, cause: "guesses"))
        }
    }

    @Test("a guess that a failure of the service interrupted is not counted", arguments: [ErrorCode.overloaded, .unavailable])
    func outage(code: ErrorCode) async {
        let device = devices(1)[0]
        for subject in [.address(address), device, .member(member)] as [GuessLimit.Subject] {
            for _ in 0..<100 { #expect(await guess(subject, code) == code) }
            for _ in 0..<5 { #expect(await guess(subject) == .invalidCredentials) }
            #expect(await guess(subject, code) == .rateLimited)
        }
    }

    @Test("any other failure counts", arguments: [ErrorCode.internalError, .passwordRefused, .unauthorized])
    func otherFailures(code: ErrorCode) async {
        for _ in 0..<5 { #expect(await guess(.address(address), code) == code) }
        #expect(await guess(.address(address), code) == .rateLimited)
    }

    @Test("the hasher is told whose guess it is on a known device or of a member, and from which network, and of no other")
    func callers() async throws {
        func caller(_ subject: GuessLimit.Subject) async throws -> HasherCaller {
            try await guesses.counting(subject, from: [203, 0, 113]) { caller async throws(DiaryError) -> HasherCaller in caller }
        }
        let ids = member.tenant.uuid.octets + member.user.uuid.octets

        #expect(try await caller(devices(1)[0]) == .known(account: address, network: [203, 0, 113]))
        #expect(try await caller(.member(member)) == .known(account: ids, network: [203, 0, 113]))
        #expect(try await caller(.address(address)) == .unknown)
        for device in devices(20) { _ = await guess(device) }
        #expect(try await caller(devices(1)[0]) == .unknown, "the budget of all devices is used up")
    }

    @Test("a thousand known devices share one more budget; when it is used up they count as unknown ones, and a new device waits with them")
    func manyDevices() async {
        let all = devices(1000)
        var outcomes: [ErrorCode?] = []
        for device in all { outcomes.append(await guess(device)) }

        #expect(outcomes.count { $0 == .invalidCredentials } == 25)
        #expect(outcomes.prefix(25).allSatisfy { $0 == .invalidCredentials })
        #expect(outcomes.dropFirst(25).allSatisfy { $0 == .rateLimited })
        #expect(await guess(.address(address)) == .rateLimited)
        #expect(await guess(.address([9])) == .invalidCredentials, "another address is none of theirs")

        // One a minute is available again.
        clock.pass(60)
        #expect(await guess(all[0]) == .invalidCredentials)
    }

    @Test("a known device that is counted as an unknown one keeps its own budget")
    func ownBudgetStays() async {
        let all = devices(21)
        for device in all.prefix(20) { _ = await guess(device) }
        let last = all[20]
        for _ in 0..<5 { #expect(await guess(last) == .invalidCredentials, "at the address' expense") }
        #expect(await guess(last) == .rateLimited)

        clock.pass(3600)
        for _ in 0..<5 { #expect(await guess(last) == .invalidCredentials) }
        #expect(await guess(last) == .rateLimited)
    }

    @Test("right guesses of known devices, and refused ones, cost nothing of the shared budget")
    func ownersDevices() async {
        let own = devices(1)[0]
        for _ in 0..<100 { #expect(await guess(own, nil) == nil) }
        for _ in 0..<5 { #expect(await guess(own) == .invalidCredentials) }
        for _ in 0..<100 { #expect(await guess(own) == .rateLimited) }

        // 15 of the 20 are left.
        for device in devices(15) { #expect(await guess(device) == .invalidCredentials) }
        for _ in 0..<5 { #expect(await guess(.address(address)) == .invalidCredentials) }
        #expect(await guess(devices(1)[0]) == .rateLimited)
    }

    @Test("a sign-in answers with the same device's number and today's day, or with a new number when the token is not valid")
    func reissued() throws {
        let first = guesses.deviceToken(address, SignInDevice())
        clock.pass(86_400)
        let second = guesses.deviceToken(address, SignInDevice(token: first))
        let number = try #require(guesses.devices.id(first, for: address))

        #expect(first != second)
        #expect(guesses.devices.id(second, for: address) == number)
        let foreign = guesses.deviceToken([9], SignInDevice(token: first))
        let other = try #require(guesses.devices.id(foreign, for: [9]))
        #expect(other.count == 14 && other != number)
    }
}
