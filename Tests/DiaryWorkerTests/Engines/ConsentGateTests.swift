import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryWorker

@Suite("Consent to engines outside the machine")
struct ConsentGateTests {
    private let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))
    private let consents = ScriptedConsents()

    private func admit(_ engine: EngineSettings, _ setting: String?, isUnderWay: Bool = false) async throws -> ProviderFailure? {
        var tenant = Stub.tenant("my-day")
        if let setting { try tenant.configuration.set("hosted_processing", to: setting) }
        let gate = ConsentGate(consents: consents, tenants: StubTenants([tenant]))
        do {
            let call = EngineCall(owner: Owner(tenant: tenant.id, user: owner.user), entry: EntryID(UUID()))
            if isUnderWay { try await gate.admitsStill(engine, call) } else { try await gate.admit(engine, call) }
            return nil
        } catch {
            return error
        }
    }

    private func engine(_ kind: EngineKind, _ stage: EngineStage = .speech, isLocal: Bool = false) -> EngineSettings {
        EngineSettings(name: "e", stage: stage, kind: kind, url: "http://127.0.0.1:1/v1", isLocal: isLocal)
    }

    @Test("only a server leaves the machine, whatever its address, unless the operator marked it as local")
    func leaving() {
        #expect(engine(.openai).leavesMachine)
        #expect(!engine(.openai, isLocal: true).leavesMachine)
        #expect(!engine(.local).leavesMachine && !engine(.command).leavesMachine)
    }

    @Test(
        "without the setting no consent is read; with it each call reads the consent, and a withdrawal holds for the next part of one under way"
    )
    func consent() async throws {
        #expect(try await admit(engine(.openai), nil) == nil)
        #expect(try await admit(engine(.openai), "allowed") == nil)
        #expect(consents.asked.now == 0)

        let refused = try await admit(engine(.openai), "consent")
        consents.given.set(true)
        let admitted = try await admit(engine(.openai), "consent")
        consents.given.set(false)
        let withdrawn = try await admit(engine(.openai), "consent", isUnderWay: true)

        #expect(refused?.treatment == .permanent && refused?.code == .consentRequired)
        #expect(admitted == nil)
        #expect(withdrawn == refused)
        #expect(consents.asked.now == 3)
    }

    @Test("engines on the machine need no consent")
    func local() async throws {
        for setting in ["consent", "off"] {
            #expect(try await admit(engine(.local), setting) == nil)
            #expect(try await admit(engine(.openai, isLocal: true), setting) == nil)
        }
        #expect(consents.asked.now == 0)
    }

    @Test("switched off by the app, no consent helps: speech waits for an operator, a text keeps its raw words")
    func off() async throws {
        consents.given.set(true)
        let speech = try await admit(engine(.openai), "off")
        let text = try await admit(engine(.openai, .text), "off")
        #expect(speech?.treatment == .configuration && speech?.code == .speechUnavailable)
        #expect(text?.treatment == .permanent && text?.code == .cleanupUnavailable)
        #expect(try await admit(engine(.openai), "off", isUnderWay: true) == speech)
    }

    @Test("a consent that cannot be read is none: the call is tried again")
    func outage() async throws {
        consents.given.set(nil)
        #expect(try await admit(engine(.openai), "consent")?.treatment == .retry)
    }
}

final class ScriptedConsents: ConsentStore {
    let given = Shared<Bool?>(false)
    let asked = Shared(0)

    func hostedProcessing(of owner: Owner) async throws(WorkError) -> Bool {
        asked.set(asked.now + 1)
        guard let given = given.now else { throw .unavailable(.unavailable(cause: "08006")) }
        return given
    }
}
