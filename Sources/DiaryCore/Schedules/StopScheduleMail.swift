/// Ends the mails of a schedule by the link in one of them (RFC 8058). Opening the link changes nothing: mail scanners open links, too.
package struct StopScheduleMail: Sendable {
    let store: any ExportScheduleStore
    let tenants: any TenantStore
    let links: any LinkSigning

    /// The app's name, for the page of the link; nil when it was removed a moment ago.
    package func look(_ token: String) async throws(DiaryError) -> String? {
        try await tenants.tenant(id: try check(token).owner.tenant)?.name
    }

    /// Succeeds also when the mails have ended already or the schedule does not exist any more.
    package func run(_ token: String, from origin: RequestOrigin) async throws(DiaryError) -> String? {
        let link = try check(token)
        try await store.stopMail(link.schedule, of: link.owner, requestID: origin.requestID)
        return try await tenants.tenant(id: link.owner.tenant)?.name
    }

    private func check(_ token: String) throws(DiaryError) -> ScheduleMailLink {
        guard let link = ScheduleMailLink(token: token, links: links) else { throw DiaryError(.linkRefused) }
        return link
    }
}
