import DiaryCrypto
import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryWorker

final class ScriptedGrants: AppleGrantStore {
    let due = Shared<[AppleGrant]>([])
    /// What was done, in order.
    let done = Shared<[String]>([])
    let kept = Shared<[[UInt8]]>([])
    let postponed = Shared<[Double]>([])

    func claim(limit: Int) async throws(WorkError) -> [AppleGrant] {
        let all = due.now
        due.set([])
        return all
    }
    func keep(_ tokenSealed: [UInt8], for grant: AppleGrant) async throws(WorkError) {
        done.change { $0.append("keep") }
        kept.change { $0.append(tokenSealed) }
    }
    func dropCode(of grant: AppleGrant) async throws(WorkError) { done.change { $0.append("drop") } }
    func postpone(_ grant: AppleGrant, seconds: Double) async throws(WorkError) {
        done.change { $0.append("postpone") }
        postponed.change { $0.append(seconds) }
    }
    func delete(_ grant: AppleGrant) async throws(WorkError) { done.change { $0.append("delete") } }
}

struct ScriptedApple: AppleAccounts {
    var failure: AppleFailure?
    var subject = "anna"
    let asked = Shared<[String]>([])

    func exchange(
        code: String, clientID: String, at now: Date
    ) async throws(AppleFailure) -> (subject: String, refreshToken: SecretBytes) {
        asked.change { $0.append("exchange \(code) \(clientID)") }
        if let failure { throw failure }
        return (subject, SecretBytes(Array("refresh".utf8)))
    }

    func revoke(_ refreshToken: SecretBytes, clientID: String, at now: Date) async throws(AppleFailure) {
        asked.change { $0.append("revoke \(String(decoding: refreshToken.bytes(), as: UTF8.self)) \(clientID)") }
        if let failure { throw failure }
    }
}

@Suite("Apple grants")
struct AppleGrantProcessorTests {
    private let store = ScriptedGrants()
    private let serviceKeys = ServiceKeys(secret: SecretBytes([UInt8](repeating: 3, count: 32)))
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func grant(codeAge: Double? = nil, hasToken: Bool = false, revokedFor: Double? = nil, attempts: Int = 1) throws -> AppleGrant {
        let owner = Owner.someone
        let identity = IdentityID(UUID())
        let vault = GrantVault(serviceKeys)
        return AppleGrant(
            owner: owner, identity: identity, clientID: "client",
            subjectHash: serviceKeys.subjectHash("anna", of: .apple, tenant: owner.tenant),
            codeSealed: codeAge == nil ? nil : try vault.seal(Array("code".utf8), .code, owner: owner, identity: identity),
            codeAt: codeAge.map { now - $0 },
            tokenSealed: hasToken ? try vault.seal(Array("refresh".utf8), .token, owner: owner, identity: identity) : nil,
            revokeRequestedAt: revokedFor.map { now - $0 }, attempts: attempts)
    }

    private func run(_ apple: ScriptedApple, _ grant: AppleGrant) async -> [String] {
        store.due.set([grant])
        let now = now
        let processor = AppleGrantProcessor(
            store: store, apple: apple, serviceKeys: serviceKeys, limits: Limits(), clock: WallClock { now },
            logger: .quiet)
        await processor.round()
        return store.done.now
    }

    @Test("a code becomes a sealed token")
    func exchange() async throws {
        let grant = try grant(codeAge: 5)
        let apple = ScriptedApple()

        #expect(await run(apple, grant) == ["keep"])

        #expect(apple.asked.now == ["exchange code client"])
        let opened = try GrantVault(serviceKeys).open(
            try #require(store.kept.now.first), .token, owner: grant.owner, identity: grant.identity)
        #expect(opened == Array("refresh".utf8))
    }

    @Test("a code of another Apple account, a used one, and one that is too old are dropped")
    func dropped() async throws {
        #expect(await run(ScriptedApple(subject: "berta"), try grant(codeAge: 5)) == ["drop"])
        #expect(await run(ScriptedApple(failure: .grantRefused), try grant(codeAge: 5)) == ["drop", "drop"])
        #expect(await run(ScriptedApple(failure: .unavailable), try grant(codeAge: 301)) == ["drop", "drop", "drop"])
    }

    @Test("a grant that Apple cannot settle now is tried again, with growing waits", arguments: [AppleFailure.unavailable, .clientRefused])
    func postponed(failure: AppleFailure) async throws {
        for attempts in [1, 2, 3, 40] {
            _ = await run(ScriptedApple(failure: failure), try grant(hasToken: true, revokedFor: 86_400, attempts: attempts))
        }

        let waits = store.postponed.now
        #expect(store.done.now == ["postpone", "postpone", "postpone", "postpone"] && waits.count == 4)
        for (wait, base) in zip(waits, [5.0, 10, 20, 3_600]) { #expect((base * 0.75...base * 1.25).contains(wait)) }
    }

    @Test("a revocation ends when Apple accepts it, when the token is invalid, and after seven days")
    func revoked() async throws {
        let apple = ScriptedApple()
        #expect(await run(apple, try grant(hasToken: true, revokedFor: 5)) == ["delete"])
        #expect(apple.asked.now == ["revoke refresh client"])
        #expect(await run(ScriptedApple(failure: .grantRefused), try grant(hasToken: true, revokedFor: 5)) == ["delete", "delete"])
        #expect(
            await run(ScriptedApple(failure: .unavailable), try grant(hasToken: true, revokedFor: 7 * 86_400 + 1))
                == ["delete", "delete", "delete"])
    }

    @Test("a code whose revocation was requested is exchanged first: only a token can be revoked")
    func codeFirst() async throws {
        let apple = ScriptedApple()

        #expect(await run(apple, try grant(codeAge: 1, revokedFor: 1)) == ["keep"])

        #expect(apple.asked.now == ["exchange code client"])
    }
}
