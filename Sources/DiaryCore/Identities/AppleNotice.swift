package import FoundationEssentials

/// A notification of Apple's, for one app.
package struct AppleNotice: Sendable {
    package var subject: ProviderSubject
    package var hash: [UInt8]
    package var kind: AppleNotification.Kind
    package var happenedAt: Date
    package var expiresAt: Date
    package var origin: RequestOrigin

    package init(
        subject: ProviderSubject, hash: [UInt8], kind: AppleNotification.Kind, happenedAt: Date, expiresAt: Date, origin: RequestOrigin
    ) {
        self.subject = subject
        self.hash = hash
        self.kind = kind
        self.happenedAt = happenedAt
        self.expiresAt = expiresAt
        self.origin = origin
    }
}
