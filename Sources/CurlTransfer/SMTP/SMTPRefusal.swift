/// What a mail server refused with 5xx.
struct SMTPRefusal: Sendable, Equatable {
    enum Step: Sendable {
        case connection, sender, recipient, message

        /// - Parameter done: commands before it that were answered by 250 to 252: EHLO, again under STARTTLS, MAIL and RCPT.
        init(done: Int, requiresTLS: Bool) {
            switch done - (requiresTLS ? 2 : 1) {
            case ..<0: self = .connection
            case 0: self = .sender
            case 1: self = .recipient
            default: self = .message
            }
        }
    }

    var step: Step
    /// The reply's words say that the server does not serve this client, whoever the recipient is.
    var isAboutClient: Bool

    /// - Parameter line: of a reply, which is not kept.
    static func isAboutClient(_ line: some Collection<UInt8>) -> Bool {
        let text = String(decoding: line.prefix(512), as: UTF8.self).lowercased()
        return phrases.contains { text.contains($0) } || text.contains("client host") && (text.contains("block") || text.contains("reject"))
    }

    /// Of Postfix, Exim, Sendmail, Exchange, qmail and SES.
    private static let phrases = [
        "relay access denied", "relay not permitted", "relaying denied", "relaying not allowed", "relay denied", "unable to relay",
        "not permitted to relay", "we do not relay", "authentication required", "authentication is required", "not authenticated",
        "sender address rejected", "sender verify failed", "list of allowed rcpthosts", "client host rejected",
        "in a black list", "blacklisted", "blocklisted", "spamhaus", "address is not verified", "not authorized to perform", "sendasdenied",
        "not allowed to send as",
    ]
}
