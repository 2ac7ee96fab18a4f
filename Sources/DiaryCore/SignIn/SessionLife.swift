/// How long a session goes on, in seconds from now.
package struct SessionLife: Sendable, Equatable {
    /// The refresh token ends when it is not used within this time.
    package var refreshSeconds: Int
    /// The session ends, however often it is refreshed.
    package var sessionSeconds: Int

    package init(refreshSeconds: Int, sessionSeconds: Int) {
        self.refreshSeconds = refreshSeconds
        self.sessionSeconds = sessionSeconds
    }
}

extension SessionLife {
    /// The life of a new session.
    init(_ limits: Limits) {
        self.init(
            refreshSeconds: min(limits.refreshIdleSeconds, limits.refreshAbsoluteSeconds), sessionSeconds: limits.refreshAbsoluteSeconds)
    }
}
