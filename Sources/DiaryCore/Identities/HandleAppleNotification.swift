package import FoundationEssentials

/// Applies a notification about a user's Apple account in every app that has the client id it names (B14).
package struct HandleAppleNotification: Sendable {
    let identities: any IdentityStore
    let tenants: any TenantStore
    let reader: any AppleNotificationReading
    let serviceKeys: ServiceKeys
    let clock: WallClock

    /// - Returns: false when it was handled before. Apple repeats it until the answer is 200, so that is no error.
    /// - Throws: `token_refused` for one that is not Apple's, or not for this service.
    package func run(_ token: String, origin: RequestOrigin) async throws(DiaryError) -> Bool {
        let all = try await tenants.all()
        let audiences = all.reduce(into: Set<String>()) { $0.formUnion($1.appleClientIDs) }
        guard !audiences.isEmpty else { throw DiaryError(.tokenRefused) }
        let notification = try await reader.notification(token, audiences: audiences, at: clock.now())
        var isNew = false
        for tenant in all where tenant.appleClientIDs.contains(notification.audience) {
            let notice = AppleNotice(
                subject: ProviderSubject(
                    tenant: tenant.id, provider: .apple, hash: serviceKeys.subjectHash(notification.subject, of: .apple, tenant: tenant.id)),
                hash: serviceKeys.noticeHash(notification.id, tenant: tenant.id), kind: notification.kind,
                happenedAt: notification.happenedAt, expiresAt: notification.expiresAt, origin: origin)
            if try await identities.handle(notice) { isNew = true }
        }
        return isNew
    }
}

/// Something a user did with their Apple account ("Processing changes for Sign in with Apple accounts").
package struct AppleNotification: Sendable, Equatable {
    package enum Kind: Sendable, Hashable {
        case emailDisabled
        case emailEnabled
        case consentRevoked
        case accountDeleted
        /// An unknown kind: acknowledged and ignored.
        case other
    }

    /// `jti`: a repeated one is the same notification.
    package let id: String
    package let audience: String
    package let kind: Kind
    package let subject: String
    /// The relay address, for the two mail kinds.
    package let address: MailAddress?
    package let happenedAt: Date
    /// Until when the id must be stored.
    package let expiresAt: Date

    package init(
        id: String, audience: String, kind: Kind, subject: String, address: MailAddress?, happenedAt: Date, expiresAt: Date
    ) {
        self.id = id
        self.audience = audience
        self.kind = kind
        self.subject = subject
        self.address = address
        self.happenedAt = happenedAt
        self.expiresAt = expiresAt
    }
}

extension AppleNotification: CustomStringConvertible, CustomReflectable {
    package var description: String { "<Apple notification>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A notification from Apple, for one app.
package struct AppleNotice: Sendable {
    package var subject: ProviderSubject
    package var hash: [UInt8]
    package var kind: AppleNotification.Kind
    package var happenedAt: Date
    package var expiresAt: Date
    package var origin: RequestOrigin
}

package protocol AppleNotificationReading: Sendable {
    /// - Parameter audiences: the client ids of all apps; the notification's `aud` is one of them.
    /// - Throws: as `ProviderTokens`.
    func notification(_ token: String, audiences: Set<String>, at now: Date) async throws(DiaryError) -> AppleNotification
}
