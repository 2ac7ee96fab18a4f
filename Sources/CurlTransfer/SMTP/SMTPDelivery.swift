package import DiaryCrypto

/// User and password for a mail server. Sent under TLS only.
package struct SMTPLogin: Sendable {
    let user: SecretBytes
    let password: SecretBytes

    /// - Returns: nil when one of them is empty or holds a control character, as each is written as one line.
    package init?(user: SecretBytes, password: SecretBytes) {
        guard [user, password].allSatisfy({ (1...512).contains($0.count) && $0.bytes().allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
            return nil
        }
        self.user = user
        self.password = password
    }

    // libcurl keeps copies until the handle is freed.
    var userText: String { String(decoding: user.bytes(), as: UTF8.self) }
    var passwordText: String { String(decoding: password.bytes(), as: UTF8.self) }
}

/// Address and credentials of a mail server.
package struct SMTPServer: Sendable {
    package enum Security: Sendable {
        /// TLS from the first byte (`smtps`).
        case implicit
        /// STARTTLS; without it nothing is sent (`CURLUSESSL_ALL`).
        case startTLS
        /// For a relay on this machine.
        case none
    }

    package var host: String
    package var port: Int
    package var security: Security
    package var login: SMTPLogin?
    /// The argument of EHLO.
    package var clientName: String

    /// - Parameter port: by default 465, 587 or 25.
    package init(_ host: String, port: Int? = nil, security: Security, login: SMTPLogin? = nil, clientName: String = "localhost") {
        self.host = host
        self.port =
            port
            ?? {
                switch security {
                case .implicit: 465
                case .startTLS: 587
                case .none: 25
                }
            }()
        self.security = security
        self.login = login
        self.clientName = clientName
    }

    /// Its entry in the list of hosts.
    package func allowedHost(mayBePrivate: Bool = false) -> AllowedHost {
        AllowedHost(scheme, host, port: port, mayBePrivate: mayBePrivate)
    }

    var scheme: AllowedHost.Scheme { security == .implicit ? .smtps : .smtp }
}

/// One message for one recipient.
package struct SMTPDelivery: Sendable {
    package var server: SMTPServer
    /// `local@domain`, without brackets.
    package var sender: String
    package var recipient: String
    /// RFC 5322, with CRLF. Dots are doubled and the end is marked by libcurl.
    package var message: [UInt8]
    package var deadlines: TransferDeadlines = TransferDeadlines(connect: .seconds(10), total: .seconds(120), stall: .seconds(60))

    package init(
        server: SMTPServer, sender: String, recipient: String, message: [UInt8],
        deadlines: TransferDeadlines = TransferDeadlines(connect: .seconds(10), total: .seconds(120), stall: .seconds(60))
    ) {
        self.server = server
        self.sender = sender
        self.recipient = recipient
        self.message = message
        self.deadlines = deadlines
    }

    func plan(allowed: [AllowedHost]) throws(TransferError) -> TransferPlan {
        guard Self.isPlain(sender), Self.isPlain(recipient), Self.isName(server.clientName), Self.isHost(server.host),
            (1...65535).contains(server.port), Self.hasWholeLines(message),
            server.login == nil || server.security != .none
        else { throw .notAllowed }
        let host = server.host.contains(":") ? "[\(server.host)]" : server.host
        let url = try CurlURL("\(server.scheme.rawValue)://\(host):\(server.port)/\(server.clientName)", allowed: allowed)
        return TransferPlan(
            url: url, deadlines: deadlines,
            kind: .smtp(
                SMTPPlan(
                    sender: sender, recipient: recipient, length: Int64(message.count),
                    requiresTLS: server.security == .startTLS, login: server.login)))
    }

    /// A second check before libcurl writes the commands: printable ASCII without characters that end or add an argument.
    static func isPlain(_ address: String) -> Bool {
        (3...254).contains(address.utf8.count)
            && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"<>\"\\(),;:[]".utf8.contains($0) }
            && address.utf8.count(where: { $0 == UInt8(ascii: "@") }) == 1
    }

    private static func isName(_ name: String) -> Bool {
        (1...253).contains(name.utf8.count)
            && name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    private static func isHost(_ host: String) -> Bool {
        isName(host) || (host.contains(":") && host.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: ":") })
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// No CR or LF alone, which only some servers read as a line's end (SMTP smuggling), and no NUL.
    private static func hasWholeLines(_ message: [UInt8]) -> Bool {
        var afterReturn = false
        for byte in message {
            if (byte == 0x0A) != afterReturn || byte == 0 { return false }
            afterReturn = byte == 0x0D
        }
        return !afterReturn
    }
}
