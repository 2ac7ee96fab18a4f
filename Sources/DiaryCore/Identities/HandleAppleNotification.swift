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
