/// The engines of an app, as its accounts see them.
package struct EngineFeature: Sendable {
    let engines: any EngineDirectory

    init(_ ports: FeaturePorts) { engines = ports.engines }

    /// What an app's accounts may choose from, and in which languages it transcribes.
    /// - Parameter tenant: nil where no app is meant.
    package func list(_ tenant: TenantID?) async throws(DiaryError) -> (offer: EngineOffer, languages: SpeechLanguages) {
        let offer = try await engines.offer(of: tenant)
        return (offer, offer.languages(local: engines.localLanguages))
    }
}

extension DiaryFeatures {
    package var engines: EngineFeature { EngineFeature(ports) }
}
