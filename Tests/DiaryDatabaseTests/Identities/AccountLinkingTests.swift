import DiaryCore
import DiaryCrypto
import Foundation
import PostgresClient
import Testing

@testable import DiaryDatabase

/// Row B13: in whatever order people sign up by mail, Apple and Google, an address alone opens no other person's account.
@Suite("B13: the account that a provider's ID token opens", .timeLimit(.minutes(2)))
struct AccountLinkingTests {
    enum Step: Sendable {
        case by(Said)
        /// Signs up by mail and does not confirm.
        case registers
        /// Confirms the sign-up.
        case confirms
        /// Links an identity, signed in to the account with this number.
        case links(Said, to: Int)
    }

    enum Outcome: Sendable, Equatable {
        /// Accounts are numbered from 1, in order of appearance.
        case account(Int)
        case refused(ErrorCode)
        case waits
    }

    struct Order: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [(Step, Outcome)]

        init(_ name: String, _ steps: (Step, Outcome)...) {
            testDescription = name
            self.steps = steps
        }
    }

    /// The address in every row; each run replaces it by a unique one.
    private static let address = "anna@mail.test"
    private static let other = "berta@mail.test"

    static let orders: [Order] = [
        Order(
            "an unconfirmed sign-up, then Google, which runs the mailbox: Google does not open the unproved account",
            (.registers, .waits), (.by(.google("g", address, owns: true)), .account(1)),
            (.by(.google("g", address, owns: true)), .account(1))),
        Order(
            "Google first, then a sign-up by mail, then Google again",
            (.by(.google("g", address, owns: true)), .account(1)), (.registers, .waits),
            (.by(.google("g", address, owns: true)), .account(1))),
        Order(
            "an unconfirmed sign-up, Google, and then the code: two accounts, not merged",
            (.registers, .waits), (.by(.google("g", address, owns: true)), .account(1)), (.confirms, .account(2)),
            (.by(.google("g", address, owns: true)), .account(1))),
        Order(
            "an unconfirmed sign-up, then a provider that does not run the mailbox",
            (.registers, .waits), (.by(.apple("a", address)), .account(1)), (.by(.google("g", address)), .account(2))),
        Order(
            "a confirmed sign-up, then Google, which runs the mailbox: both have proved the address, one account",
            (.registers, .waits), (.confirms, .account(1)), (.by(.google("g", address, owns: true)), .account(1)),
            (.by(.google("g", other, owns: true)), .account(1))),
        Order(
            "a confirmed sign-up, then Google with an address that Google does not run",
            (.registers, .waits), (.confirms, .account(1)), (.by(.google("g", address)), .refused(.accountExists)),
            (.links(.google("g", address), to: 1), .account(1)), (.by(.google("g", address)), .account(1))),
        Order(
            "a confirmed sign-up, then Apple with the same address, then by the relay",
            (.registers, .waits), (.confirms, .account(1)), (.by(.apple("a", address)), .refused(.accountExists)),
            (.by(.apple("a", "x1@privaterelay.appleid.com", owns: true)), .account(2))),
        Order(
            "the same subject at two issuers is two accounts",
            (.by(.apple("s", "x2@privaterelay.appleid.com", owns: true)), .account(1)),
            (.by(.google("s", address, owns: true)), .account(2)),
            (.by(.apple("s")), .account(1)), (.by(.google("s")), .account(2))),
        Order(
            "Google's address changes to one that another account has confirmed: the subject decides",
            (.by(.google("g", other, owns: true)), .account(1)), (.registers, .waits), (.confirms, .account(2)),
            (.by(.google("g", address, owns: true)), .account(1)), (.by(.google("h", address, owns: true)), .account(2))),
        Order(
            "Apple without an address, later with one that another account has confirmed",
            (.by(.apple("a")), .account(1)), (.registers, .waits), (.confirms, .account(2)), (.by(.apple("a", address)), .account(1))),
        Order(
            "two Google accounts that had the same address, one after the other",
            (.by(.google("g", address, owns: true)), .account(1)), (.by(.google("h", address, owns: true)), .account(2)),
            (.by(.google("g", address, owns: true)), .account(1))),
        Order(
            "an identity of one account cannot be linked to another",
            (.by(.apple("a", "x3@privaterelay.appleid.com", owns: true)), .account(1)),
            (.by(.google("g", address, owns: true)), .account(2)),
            (.links(.google("g", address, owns: true), to: 1), .refused(.identityTaken)),
            (.links(.apple("b"), to: 2), .account(2)), (.by(.apple("b")), .account(2))),
        Order(
            "Apple and Google name one address, and only one of them runs it",
            (.by(.apple("a", address)), .account(1)), (.by(.google("g", address, owns: true)), .account(2)),
            (.by(.apple("a", address)), .account(1))),
    ]

    @Test("B13", arguments: orders)
    func order(_ order: Order) async throws {
        let fixture = try await ProviderFixture.make()
        var waiting: WaitingSignUp?
        var accounts: [Member] = []
        func number(_ member: Member) -> Outcome {
            if let known = accounts.firstIndex(where: { $0.user == member.user }) { return .account(known + 1) }
            accounts.append(member)
            return .account(accounts.count)
        }

        for (index, (step, expected)) in order.steps.enumerated() {
            var outcome: Outcome
            do {
                switch step {
                case .by(let said): outcome = number(try await fixture.enter(said))
                case .registers:
                    waiting = try await fixture.register(Self.address)
                    outcome = .waits
                case .confirms:
                    guard let waiting else { throw NotWhatWasExpected() }
                    outcome = number(try await fixture.verify(waiting))
                case .links(let said, let to):
                    _ = try await fixture.add(said, to: accounts[to - 1])
                    outcome = .account(to)
                }
            } catch let error as DiaryError {
                outcome = .refused(error.code)
            }
            #expect(outcome == expected, "step \(index + 1)")
        }
    }

    @Test("B13: in another app the same identities are other accounts")
    func tenants() async throws {
        let here = try await ProviderFixture.make()
        let there = try await ProviderFixture.make()
        let owner = try await here.verify(try await here.register(Self.address))

        let elsewhere = try await there.enter(.google("g", Self.address, owns: true))
        let same = try await here.enter(.google("g", Self.address, owns: true))

        #expect(elsewhere.user != owner.user && same.user == owner.user)
    }

    @Test(
        "the account's address is proved only by the provider that runs its mailbox, and follows it while no other proves it (decision D11)"
    )
    func proofs() async throws {
        let fixture = try await ProviderFixture.make()
        let unproved = try await fixture.enter(.apple("a", "anna@own.test"))
        #expect(try await fixture.address(unproved) == "anna@own.test")
        #expect(try await !fixture.isProved(unproved))

        // Google runs another mailbox: the account gets that address, which is proved thereby.
        _ = try await fixture.add(.google("g", "anna@gmail.com", owns: true), to: unproved)
        #expect(try await fixture.address(unproved) == "anna@gmail.com")
        #expect(try await fixture.isProved(unproved))

        let moved = try await fixture.enter(.google("g", "new@gmail.com", owns: true))
        #expect(try await fixture.address(moved) == "new@gmail.com")
        #expect(try await fixture.isProved(moved))

        // Google's token states that it no longer runs the mailbox.
        let lost = try await fixture.enter(.google("g", "new@gmail.com"))
        #expect(try await !fixture.isProved(lost))
    }

    @Test("a confirmed address stays the account's whatever a provider names, and changing it removes the providers' proofs")
    func confirmed() async throws {
        let fixture = try await ProviderFixture.make()
        let owner = try await fixture.verify(try await fixture.register("c@gmail.com"))

        let joined = try await fixture.enter(.google("g", "c@gmail.com", owns: true))
        _ = try await fixture.enter(.google("g", "elsewhere@gmail.com", owns: true))
        #expect(joined.user == owner.user)
        #expect(try await fixture.address(owner) == "c@gmail.com")

        _ = try await fixture.enter(.google("g", "c@gmail.com", owns: true))
        let proving = "select count(*) from identities where user_id = $1 and proves_address"
        #expect(try await fixture.database.int(proving, .uuid(owner.user.uuid)) == 1)
        try await fixture.database.change("update users set email_sealed = '\\x01' where id = $1", .uuid(owner.user.uuid))
        #expect(try await fixture.database.int(proving, .uuid(owner.user.uuid)) == 0)
    }

    @Test("an account that is being deleted is opened by no identity and no address")
    func closed() async throws {
        let fixture = try await ProviderFixture.make()
        let owner = try await fixture.verify(try await fixture.register("d@gmail.com"))
        _ = try await fixture.add(.apple("a"), to: owner)
        try await fixture.database.change("update users set deleted_at = clock_timestamp() where id = $1", .uuid(owner.user.uuid))

        for said in [Said.apple("a"), .google("g", "d@gmail.com", owns: true)] {
            let form = fixture.form(said, nonce: try await fixture.nonce())
            let refused = await refusal { () async throws(DiaryError) in
                try await fixture.signIn.run(form, origin: ProviderFixture.origin, in: fixture.tenant)
            }
            #expect(refused?.code == .tokenRefused)
        }
    }

    @Test("every sign-in, link and unlinking is an event of the account")
    func events() async throws {
        let fixture = try await ProviderFixture.make()
        let member = try await fixture.enter(.apple("a"))
        let google = try await fixture.add(.google("g"), to: member)

        try await fixture.features.identities.unlink(google.linked.id, origin: ProviderFixture.origin, by: member)

        #expect(try await fixture.events(member) == "registered signed_in identity_linked identity_unlinked")
    }
}
