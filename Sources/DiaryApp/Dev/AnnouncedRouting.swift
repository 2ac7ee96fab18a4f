import DiaryCore

/// Announces the mail of every app.
struct AnnouncedRouting: MailRouting {
    let routing: any MailRouting
    let announce: @Sendable (OutgoingMessage) -> Void

    func transport(for app: Tenant) async throws(MailFailure) -> any MailTransport {
        AnnouncedMail(transport: try await routing.transport(for: app), announce: announce)
    }
}
