import DiaryCore

/// Logs what an operator must mend, each time: the mail itself is only tried again.
struct ReportedMail: MailTransport {
    let transport: any MailTransport
    let report: MailFaultReport

    func send(_ message: OutgoingMessage) async throws(MailFailure) {
        do throws(MailFailure) { try await transport.send(message) } catch {
            report.note(error)
            throw error
        }
    }
}
