package import DiaryCrypto

/// Makes engines from their settings.
package protocol EngineBuilder: Sendable {
    /// - Parameter key: what the settings' `secret` names; nil when they name none.
    /// - Throws: what the engine would fail with at each call, such as a sandbox that does not hold.
    func speech(_ settings: EngineSettings, key: SecretBytes?) async throws(ProviderFailure) -> any SpeechEngine
    func text(_ settings: EngineSettings, key: SecretBytes?) async throws(ProviderFailure) -> any TextEngine
}
