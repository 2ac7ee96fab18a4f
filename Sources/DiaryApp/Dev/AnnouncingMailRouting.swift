import DiaryCore

/// Announces each mail of every app after it was sent.
struct AnnouncingMailRouting: MailRouting {
    let routing: any MailRouting
    let announce: @Sendable (OutgoingMessage) -> Void

    func transport(for app: Tenant) async throws(MailFailure) -> any MailTransport {
        AnnouncingMailTransport(transport: try await routing.transport(for: app), announce: announce)
    }
}
