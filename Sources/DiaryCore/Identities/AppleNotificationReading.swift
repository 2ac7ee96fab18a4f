package import FoundationEssentials

package protocol AppleNotificationReading: Sendable {
    /// - Parameter audiences: the client ids of all apps; the notification's `aud` is one of them.
    /// - Throws: as `ProviderTokens`.
    func notification(_ token: String, audiences: Set<String>, at now: Date) async throws(DiaryError) -> AppleNotification
}
