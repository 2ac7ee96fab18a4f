import DiaryCore

/// Announces each mail after it was sent: `diary dev` prints the codes and links, which its user would otherwise have to find in files.
struct AnnouncingMailTransport: MailTransport {
    let transport: any MailTransport
    let announce: @Sendable (OutgoingMessage) -> Void

    func send(_ message: OutgoingMessage) async throws(MailFailure) {
        try await transport.send(message)
        announce(message)
    }

    /// `mail to anna@example.org: "Your code for My Day", code 20481634`, or the link instead of the code.
    static func line(_ message: OutgoingMessage) -> String {
        let lines = message.text.split(separator: "\n").map(\.trimmed)
        let code = lines.first { $0.utf8.count == 8 && $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
        let link = lines.first { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
        let found = code.map { ", code \($0)" } ?? link.map { ", \($0)" } ?? ""
        return "mail to \(message.to): \"\(message.subject)\"\(found)"
    }
}

/// Announces each mail of every app after it was sent.
struct AnnouncingMailRouting: MailRouting {
    let routing: any MailRouting
    let announce: @Sendable (OutgoingMessage) -> Void

    func transport(for app: Tenant) async throws(MailFailure) -> any MailTransport {
        AnnouncingMailTransport(transport: try await routing.transport(for: app), announce: announce)
    }
}
