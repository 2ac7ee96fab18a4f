import CLibcurl

/// Result of a delivery. Codes only: a reply's text is not kept.
package enum SMTPOutcome: Sendable, Hashable {
    case accepted
    /// May succeed later: a 4xx reply, no connection, no TLS, a refused login, a deadline.
    /// - code: of the reply, if there was one.
    case temporary(code: Int?, TransferError)
    /// A 5xx reply to the recipient or the message: the server will never accept this mail.
    case permanent(code: Int, EnhancedStatus?)
    /// A 5xx reply to the sender, before any recipient was named, or one that says that this client may not send: an operator must mend it.
    case aboutClient(code: Int, EnhancedStatus?)
}

extension SMTPOutcome {
    /// Replies about the connection, not the mail: TLS or a login required or refused (RFC 4954 section 6).
    private static let aboutLogin: Set<Int> = [530, 534, 535, 538]

    init(_ end: TransferEnd) {
        guard let error = end.error else {
            self = .accepted
            return
        }
        // Before MAIL a 5xx is about the server or this client (554 to the greeting, 502 to EHLO), so it is temporary. libcurl fails
        // with SEND_ERROR at MAIL, RCPT and DATA, and with WEIRD_SERVER_REPLY after the message.
        let isAboutMail = end.result == CURLE_SEND_ERROR.rawValue || (end.result == CURLE_WEIRD_SERVER_REPLY.rawValue && end.wasSent)
        if isAboutMail, Self.aboutLogin.contains(end.code) {
            self = .aboutClient(code: end.code, end.enhanced)
        } else if isAboutMail, (500...599).contains(end.code) {
            let isTooLarge = end.code == 552 || end.enhanced?.isSize == true
            let isAboutClient = end.refusal?.step == .sender && !isTooLarge || end.refusal?.isAboutClient == true
            self =
                isAboutClient || end.enhanced?.isAboutSender == true
                ? .aboutClient(code: end.code, end.enhanced) : .permanent(code: end.code, end.enhanced)
        } else {
            // The reply before a lost connection (354, 250) is not its cause.
            self = .temporary(code: (400...599).contains(end.code) ? end.code : nil, error)
        }
    }
}

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
