/// The engines of an app, as its accounts see them.
package struct EngineFeature: Sendable {
    package let list: ListEngines

    init(_ ports: FeaturePorts) { list = ListEngines(engines: ports.engines) }
}

extension DiaryFeatures {
    package var engines: EngineFeature { EngineFeature(ports) }
}

/// What an app's accounts may choose from, and in which languages it transcribes.
package struct ListEngines: Sendable {
    let engines: any EngineDirectory

    /// - Parameter tenant: nil where no app is meant.
    package func run(_ tenant: TenantID?) async throws(DiaryError) -> (offer: EngineOffer, languages: SpeechLanguages) {
        let offer = try await engines.offer(of: tenant)
        return (offer, offer.languages(local: engines.localLanguages))
    }
}
