package import DiaryCore

/// The same engines for every app.
package struct FixedEngineDirectory: EngineDirectory {
    package let localLanguages: SpeechLanguages
    let offer: EngineOffer

    package init(_ offer: EngineOffer, localLanguages: SpeechLanguages) {
        self.offer = offer
        self.localLanguages = localLanguages
    }

    package func offer(of tenant: TenantID?) async throws(DiaryError) -> EngineOffer { offer }
}
