import DiaryCore

/// Logs each failure that an operator must correct. The job only tries such a mail again.
struct ReportingMailTransport: MailTransport {
    let transport: any MailTransport
    let report: MailFaultReport

    func send(_ message: OutgoingMessage) async throws(MailFailure) {
        do throws(MailFailure) { try await transport.send(message) } catch {
            report.note(error)
            throw error
        }
    }
}
