import FoundationEssentials
import WireFormats

/// Ends the mails of a schedule by the link in one of them (RFC 8058). Opening the link changes nothing: mail scanners open links, too.
package struct StopScheduleMail: Sendable {
    let store: any ExportScheduleStore
    let tenants: any TenantStore
    let links: any LinkSigning

    /// The app, for the page of the link; nil when it was removed a moment ago.
    package func look(_ token: String) async throws(DiaryError) -> AppBrand? {
        try await tenants.tenant(id: try check(token).owner.tenant).map { AppBrand($0) }
    }

    /// Succeeds also when the mails have ended already or the schedule does not exist any more.
    package func run(_ token: String, from origin: RequestOrigin) async throws(DiaryError) -> AppBrand? {
        let link = try check(token)
        try await store.stopMail(link.schedule, of: link.owner, requestID: origin.requestID)
        return try await tenants.tenant(id: link.owner.tenant).map { AppBrand($0) }
    }

    private func check(_ token: String) throws(DiaryError) -> ScheduleMailLink {
        guard let link = ScheduleMailLink(token: token, links: links) else { throw DiaryError(.linkRefused) }
        return link
    }
}

/// The token of the address by which the mails of a schedule are stopped (RFC 8058). It has no end: a mail may be unsubscribed from years later.
package struct ScheduleMailLink: Sendable, Equatable {
    package let owner: Owner
    package let schedule: ExportScheduleID
    private let signature: String

    /// The end of all such links: 9999-12-31.
    private static let end = Date(timeIntervalSince1970: 253_402_214_400)
    private static let purpose = "schedule-mail"

    package init(owner: Owner, schedule: ExportScheduleID, links: any LinkSigning) {
        self.owner = owner
        self.schedule = schedule
        signature = links.sign(purpose: Self.purpose, fields: Self.fields(owner, schedule), expiresAt: Self.end)
    }

    /// nil when the token was not made here.
    package init?(token: String, links: any LinkSigning) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let named = Base64URL.decode(String(parts[0])), named.count == 48,
            let tenant = UUID(octets: named[0..<16]), let user = UUID(octets: named[16..<32]), let schedule = UUID(octets: named[32..<48])
        else { return nil }
        owner = Owner(tenant: TenantID(tenant), user: UserID(user))
        self.schedule = ExportScheduleID(schedule)
        signature = String(parts[1])
        guard links.isValid(signature, purpose: Self.purpose, fields: Self.fields(owner, self.schedule), expiresAt: Self.end) else {
            return nil
        }
    }

    package var token: String {
        "\(Base64URL.encode(owner.tenant.uuid.octets + owner.user.uuid.octets + schedule.uuid.octets)).\(signature)"
    }

    /// - Parameter publicURL: without a slash at its end.
    package func url(_ publicURL: String) -> String { "\(publicURL)/unsubscribe/\(token)" }

    private static func fields(_ owner: Owner, _ schedule: ExportScheduleID) -> [String] {
        [owner.tenant.description, owner.user.description, schedule.description]
    }
}
