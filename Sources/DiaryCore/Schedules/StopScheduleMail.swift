/// Ends the mails of a schedule by the link in one of them (RFC 8058). Opening the link changes nothing: mail scanners open links, too.
package struct StopScheduleMail: Sendable {
    let store: any ExportScheduleStore
    let tenants: any TenantStore
    let links: any LinkSigning

    /// What the page of a link shows.
    package struct Page: Sendable {
        /// nil when the app was removed a moment ago.
        package var appName: String?
        package var sendsMail: Bool
    }

    package func look(_ token: String) async throws(DiaryError) -> Page {
        let link = try check(token)
        let sendsMail = try await store.sendsMail(link.schedule, of: link.owner)
        return Page(appName: try await tenants.tenant(id: link.owner.tenant)?.name, sendsMail: sendsMail)
    }

    /// Succeeds also when the mails have ended already or the schedule does not exist any more.
    package func run(_ token: String, from origin: RequestOrigin) async throws(DiaryError) -> Page {
        let link = try check(token)
        try await store.stopMail(link.schedule, of: link.owner, requestID: origin.requestID)
        return Page(appName: try await tenants.tenant(id: link.owner.tenant)?.name, sendsMail: false)
    }

    private func check(_ token: String) throws(DiaryError) -> ScheduleMailLink {
        guard let link = ScheduleMailLink(token: token, links: links) else { throw DiaryError(.linkRefused) }
        return link
    }
}
