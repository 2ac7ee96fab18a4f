import DiaryCore
import DiaryCrypto
import DiaryMail
import Foundation
import Logging
import TestSupport
import Testing

@testable import DiaryApp

private struct InstallationMail: MailTransport {
    func send(_ message: OutgoingMessage) async throws(MailFailure) { throw .refused("the installation's") }
}

private struct Secrets: AppSecretStore {
    var stored: [String: StoredAppSecret] = [:]
    var isAway = false

    func secret(_ name: String, of tenant: TenantID) async throws(DiaryError) -> StoredAppSecret? {
        if isAway { throw .unavailable(cause: "test") }
        return stored[name].flatMap { $0.tenant == tenant ? $0 : nil }
    }
}

@Suite("The service by which an app's mail leaves")
struct TenantMailRoutingTests {
    private let masters: MasterKeyRing
    private let app = TenantID(UUIDv7.make())

    init() throws { masters = try MasterKeyRing(current: "m1", keys: ["m1": .random(32)]) }

    private func tenant(_ settings: [String: String]) throws -> Tenant {
        var configuration = TenantConfiguration()
        for (name, value) in settings { try configuration.set(name, to: value) }
        return Tenant(
            id: app, slug: "walks", name: "Walks", mailFromName: "Walks", mailFromAddress: "diary@localhost", createdAt: .now,
            suspendedAt: nil, configuration: configuration)
    }

    private func routing(_ secrets: Secrets, region: String? = nil) throws -> TenantMailRouting {
        TenantMailRouting(
            service: InstallationMail(), providers: try MailProviders(sendGrid: nil, ses: nil), secrets: secrets, masters: masters,
            region: region, logger: .quiet)
    }

    private func secret(_ text: String, of app: TenantID? = nil, under masters: MasterKeyRing? = nil) throws -> Secrets {
        let stored = try StoredAppSecret(
            sealing: SecretBytes(Array(text.utf8)), "key", of: app ?? self.app, under: masters ?? self.masters, at: .now)
        return Secrets(stored: ["key": stored])
    }

    private func failure(_ secrets: Secrets, region: String? = nil, _ settings: [String: String]) async throws -> MailFailure? {
        let (mail, app) = (try routing(secrets, region: region), try tenant(settings))
        do throws(MailFailure) {
            _ = try await mail.transport(for: app)
            return nil
        } catch {
            return error
        }
    }

    @Test("without a provider of its own an app's mail leaves as the installation's")
    func installation() async throws {
        let transport = try await routing(Secrets()).transport(for: tenant(["mail.secret": "key"]))
        let message = OutgoingMessage(
            id: MailID(UUIDv7.make()), fromName: "", fromAddress: "a@b.example", to: "c@d.example", subject: "", text: "", html: nil)

        await #expect(throws: MailFailure.refused("the installation's")) { try await transport.send(message) }
    }

    @Test("an app's provider that cannot be used is a fault for its operator, and never the installation's turn")
    func faults() async throws {
        let sendGrid = ["mail.provider": "sendgrid", "mail.secret": "key"]
        let ses = ["mail.provider": "ses", "mail.secret": "key"]
        let other = try MasterKeyRing(current: "m2", keys: ["m2": .random(32)])

        #expect(try await failure(try secret("SG.x"), sendGrid) == nil)
        #expect(try await failure(try secret("AKIA:secret:token"), region: "eu-central-1", ses) == nil)
        #expect(try await failure(try secret("SG.x"), ["mail.provider": "sendgrid"]) == .misconfigured("mail.secret is not set"))
        #expect(try await failure(Secrets(), sendGrid) == .misconfigured("the secret key is not set"))
        #expect(try await failure(try secret("SG.x", of: TenantID(UUIDv7.make())), sendGrid) == .misconfigured("the secret key is not set"))
        #expect(
            try await failure(try secret("SG.x", under: other), sendGrid) == .misconfigured("the secret key does not open under master m2"))
        #expect(try await failure(Secrets(isAway: true), sendGrid) == .unavailable("the secret key cannot be read now"))
        #expect(
            try await failure(try secret("SG.x"), sendGrid.merging(["mail.region": "mars"]) { $1 })
                == .misconfigured("SendGrid has the regions eu and global"))
        #expect(try await failure(try secret("AKIA:secret"), ses) == .misconfigured("mail.region is not set"))
        #expect(
            try await failure(try secret("only-one-part"), region: "eu-central-1", ses)
                == .misconfigured("the app's secret is not ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]"))
    }
}
