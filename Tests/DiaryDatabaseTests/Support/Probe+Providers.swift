import DiaryCrypto
import Foundation

@testable import DiaryCore
@testable import DiaryDatabase

extension SeedData {
    var appleSubject: ProviderSubject { ProviderSubject(tenant: person.owner.tenant, provider: .apple, hash: appleHash) }

    func signIn(_ subject: ProviderSubject? = nil, owner: Owner? = nil) -> ProviderSignIn {
        ProviderSignIn(
            owner: owner ?? person.owner, subject: subject ?? appleSubject, identity: apple, challengeHash: challenge,
            session: NewSession(
                id: SessionID(UUID()), deviceSealed: nil, refreshHash: SecureRandom.bytes(32), idleSeconds: 10, absoluteSeconds: 10),
            grant: NewAppleGrant(clientID: "other", codeSealed: [1]), origin: RequestOrigin(requestID: "r"))
    }

    var unusedSubject: ProviderSubject {
        ProviderSubject(tenant: person.owner.tenant, provider: .google, hash: SecureRandom.bytes(32))
    }

    var newIdentity: NewIdentity { NewIdentity(id: IdentityID(UUID()), subjectSealed: [2], addressSealed: [1], provesAddress: false) }

    func notice(_ kind: AppleNotification.Kind) -> AppleNotice {
        AppleNotice(
            subject: appleSubject, hash: SecureRandom.bytes(32), kind: kind, happenedAt: Date(timeIntervalSinceNow: 5),
            expiresAt: Date(timeIntervalSinceNow: 60), origin: RequestOrigin(requestID: "r"))
    }

    var grant: AppleGrant {
        AppleGrant(
            owner: person.owner, identity: apple, clientID: "client", subjectHash: appleHash, codeSealed: Array("code".utf8),
            codeAt: Date(),
            tokenSealed: nil, revokeRequestedAt: Date(), attempts: 0)
    }
}

extension Probe {
    static let providers: [Probe] =
        [
            Probe(name: "identities") { try await !$0.linked.identities(of: $1.person.member).isEmpty },
            Probe(name: "unlink") {
                // The address is not verified here, so Apple's is the last sign-in method; the address itself may be unlinked.
                let email = try await $0.linked.identities(of: $1.person.member).first { $0.provider == nil }
                return try await $0.linked.unlink(
                    email?.id ?? $1.apple, of: $1.person.member, origin: RequestOrigin(requestID: "r")) == .unlinked
            },
            Probe(name: "find", seesTenant: true) {
                try await $0.identities.find($1.appleSubject, addressHash: $1.person.emailHash, challengeHash: $1.challenge).known != nil
            },
            Probe(name: "provider signIn", seesTenant: true) {
                try await $0.identities.signIn(
                    $1.signIn(),
                    update: IdentityUpdate(
                        addressSealed: [2], provesAddress: true, accountAddressSealed: [3], readAgainst: Array("sealed".utf8)))
            },
            Probe(name: "provider register", seesTenant: true) {
                try await $0.identities.register(
                    $1.signIn($1.unusedSubject, owner: Owner(tenant: $1.person.owner.tenant, user: UserID(UUID()))), $1.newIdentity,
                    NewProviderAccount(keyID: UUID(), emailSealed: nil, nameSealed: nil, timeZone: "UTC", locale: nil))
            },
            Probe(name: "join", seesTenant: true, wantsProof: true) {
                try await $0.identities.join($1.signIn($1.unusedSubject), $1.newIdentity, addressHash: $1.person.emailHash)
            },
            Probe(name: "address of", seesTenant: true) {
                _ = try await $0.identities.address(of: $1.person.member)
                return true
            },
            Probe(name: "link", seesTenant: true) {
                try await $0.identities.link(
                    IdentityLink(
                        subject: $1.unusedSubject, identity: $1.newIdentity, accountAddressSealed: [4], readAgainst: nil,
                        challengeHash: $1.challenge, grant: nil,
                        origin: RequestOrigin(requestID: "r")), to: $1.person.member)
            },
        ]
        + [AppleNotification.Kind.emailDisabled, .consentRevoked].map { kind in
            Probe(name: "handle \(kind)", seesTenant: true) {
                _ = try await $0.identities.handle($1.notice(kind))
                return false
            }
        } + [
            Probe(name: "grant keep") {
                try await $0.grants.keep([7], for: $1.grant)
                return false
            },
            Probe(name: "grant dropCode") {
                try await $0.grants.dropCode(of: $1.grant)
                return false
            },
            Probe(name: "grant postpone") {
                try await $0.grants.postpone($1.grant, seconds: 5)
                return false
            },
            Probe(name: "grant delete") {
                try await $0.grants.delete($1.grant)
                return false
            },
        ]
}
