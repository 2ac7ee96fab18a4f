package import DiaryCore

/// Keeps recordings and texts on the machine where an app has `hosted_processing` = `off`, or `consent` and the member has not given it (G7).
///
/// The consent is read at each call, and between the parts of one: a withdrawal holds for every request that has not begun. The app's setting may be some seconds old.
package struct ConsentGate: EngineGate {
    let consents: any ConsentStore
    let tenants: any TenantStore

    package init(consents: any ConsentStore, tenants: any TenantStore) {
        self.consents = consents
        self.tenants = tenants
    }

    package func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {
        guard engine.leavesMachine else { return }
        switch try await setting(of: call.owner.tenant) {
        case .allowed: return
        case .off:
            // The owner cannot help: an operator has to set another engine for speech; for text the raw words remain.
            throw engine.stage == .speech
                ? ProviderFailure(.configuration, code: .speechUnavailable, cause: "hosted processing is off")
                : ProviderFailure(.permanent, code: .cleanupUnavailable, cause: "hosted processing is off")
        case .consent:
            guard try await hasConsented(call.owner) else {
                throw ProviderFailure(.permanent, code: .consentRequired, cause: "no consent to hosted processing")
            }
        }
    }

    /// A withdrawal, and `off`, hold for the next part of a long recording and the next piece of a long text.
    package func admitsStill(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) { try await admit(engine, call) }

    package func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {}

    private func setting(of tenant: TenantID) async throws(ProviderFailure) -> HostedProcessing {
        do { return try await tenants.configuration(of: tenant).hostedProcessing } catch {
            throw ProviderFailure(.retry, code: .databaseUnavailable, cause: "the app's settings cannot be read")
        }
    }

    private func hasConsented(_ owner: Owner) async throws(ProviderFailure) -> Bool {
        do { return try await consents.hostedProcessing(of: owner) } catch {
            throw ProviderFailure(.retry, code: .databaseUnavailable, cause: "the consent cannot be read")
        }
    }
}
