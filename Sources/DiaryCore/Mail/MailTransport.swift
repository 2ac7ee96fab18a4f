package protocol MailTransport: Sendable {
    func send(_ message: OutgoingMessage) async throws(MailFailure)
}
