package import FoundationEssentials

/// A notification from Apple, for one app.
package struct AppleNotice: Sendable {
    package var subject: ProviderSubject
    package var hash: [UInt8]
    package var kind: AppleNotification.Kind
    package var happenedAt: Date
    package var expiresAt: Date
    package var origin: RequestOrigin
}
