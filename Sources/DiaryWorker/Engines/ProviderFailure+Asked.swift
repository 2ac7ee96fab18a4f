import DiaryCore

extension ProviderFailure {
    /// The app has no longer the engine that the owner named for the run.
    static func noSuchEngine(_ code: ProcessingCode) -> ProviderFailure {
        ProviderFailure(.permanent, code: code, cause: "the chain does not have the engine that was asked for")
    }
}
