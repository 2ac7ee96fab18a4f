/// Which engines an app has. For the API, which never sees addresses or secrets.
package protocol EngineDirectory: Sendable {
    /// What the engine of kind `local` knows.
    var localLanguages: SpeechLanguages { get }
    /// - Parameter tenant: nil for the service's own.
    func offer(of tenant: TenantID?) async throws(DiaryError) -> EngineOffer
}
