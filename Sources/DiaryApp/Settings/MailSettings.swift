import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryMail
import FoundationEssentials

/// How mail leaves: to a mail server, or into a folder as `.eml` files.
enum MailSettings: Sendable {
    case outbox(folder: String)
    /// - certificateFile: PEM; replaces the system's certificates.
    case smtp(SMTPServer, certificateFile: String?)

    /// `DIARY_SMTP_URL` wins over `DIARY_MAIL_OUTBOX`.
    init(_ environment: Environment) throws(SettingsError) {
        guard let url = try environment.text("DIARY_SMTP_URL") else {
            self = .outbox(folder: try environment.required("DIARY_MAIL_OUTBOX"))
            return
        }
        self = .smtp(try Self.server(url, environment), certificateFile: try environment.text("DIARY_SMTP_CERTIFICATES"))
    }

    /// `smtps://host[:465]`, `smtp://host[:587]` (STARTTLS, required), or `smtp+plain://host[:25]` for a relay on the same machine.
    private static func server(_ text: String, _ environment: Environment) throws(SettingsError) -> SMTPServer {
        let name = "DIARY_SMTP_URL"
        let form = "must be smtps://host[:port], smtp://host[:port] (with STARTTLS) or smtp+plain://host[:port]"
        guard let url = URLComponents(string: text), let scheme = url.scheme, let host = url.host, !host.isEmpty,
            url.path.isEmpty || url.path == "/", url.query == nil, url.user == nil, url.password == nil
        else { throw SettingsError(name, form) }
        let security: SMTPServer.Security
        switch scheme {
        case "smtps": security = .implicit
        case "smtp": security = .startTLS
        case "smtp+plain": security = .none
        default: throw SettingsError(name, form)
        }
        if let port = url.port, !(1...65_535).contains(port) { throw SettingsError(name, "has a port that cannot be") }
        let login = try login(environment)
        guard login == nil || security != .none else { throw SettingsError("DIARY_SMTP_USER", "is never sent without TLS") }
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        return SMTPServer(
            bare, port: url.port, security: security, login: login,
            clientName: try environment.text("DIARY_SMTP_CLIENT_NAME") ?? "localhost")
    }

    private static func login(_ environment: Environment) throws(SettingsError) -> SMTPLogin? {
        guard let user = try environment.text("DIARY_SMTP_USER") else { return nil }
        let password = try environment.required("DIARY_SMTP_PASSWORD")
        guard let login = SMTPLogin(user: SecretBytes(Array(user.utf8)), password: SecretBytes(Array(password.utf8))) else {
            throw SettingsError("DIARY_SMTP_PASSWORD", "must be 1 to 512 bytes without control characters")
        }
        return login
    }
}

extension MailSettings: CustomStringConvertible {
    /// The folder, or the server.
    var description: String {
        switch self {
        case .outbox(let folder): folder
        case .smtp(let server, _): "\(server.host):\(server.port)"
        }
    }
}

extension MailSettings {
    func transport() throws -> any MailTransport {
        switch self {
        case .outbox(let folder): return try FileOutbox(folder: folder)
        case .smtp(let server, let certificateFile):
            // The host is the operator's own choice, so it may lie in a private network.
            let transfers = try CurlTransfers(
                TransferConfiguration(hosts: [server.allowedHost(mayBePrivate: true)], certificateFile: certificateFile), name: "smtp")
            return SMTPSender(transfers: transfers, server: server)
        }
    }
}
