import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryMail
import FoundationEssentials

/// How the service sends mail: to a mail server, through a provider, or as `.eml` files into a folder.
enum MailSettings: Sendable {
    case outbox(folder: String)
    /// - certificateFile: PEM; replaces the system's certificates.
    case smtp(SMTPServer, certificateFile: String?)
    case sendGrid(key: SecretBytes)
    case ses(SESAccount)

    /// When several are set, the provider is used before the mail server, and that before the folder.
    init(_ environment: Environment) throws(SettingsError) {
        if let provider = try MailProviderSettings.service(environment) {
            self = provider
            return
        }
        guard let address = try environment.read(Self.server) else {
            guard let folder = try environment.read(Self.outbox) else { throw SettingsError(Self.outbox, "is required") }
            self = .outbox(folder: folder)
            return
        }
        let login = try Self.login(environment)
        guard login == nil || address.security != .none else { throw SettingsError(Self.user, "is never sent without TLS") }
        let server = SMTPServer(
            address.host, port: address.port, security: address.security, login: login, clientName: try environment.read(Self.clientName))
        self = .smtp(server, certificateFile: try environment.read(Self.certificates))
    }

    private static func login(_ environment: Environment) throws(SettingsError) -> SMTPLogin? {
        guard let user = try environment.read(user) else { return nil }
        guard let password = try environment.read(password) else { throw SettingsError(password, "is required") }
        guard let login = SMTPLogin(user: SecretBytes(Array(user.utf8)), password: SecretBytes(Array(password.utf8))) else {
            throw SettingsError(Self.password, "must be 1 to 512 bytes without control characters")
        }
        return login
    }
}

extension MailSettings {
    static let server = Setting.optional(
        "DIARY_SMTP_URL",
        SettingForm("`smtps://host[:465]`, `smtp://host[:587]` or `smtp+plain://host[:25]`", parse: SMTPAddress.init(url:)),
        "the mail server; `smtp` requires STARTTLS, `smtp+plain` is for a relay on the same machine",
        example: .set("smtp://mail.example.org"))
    static let user = Setting.optional("DIARY_SMTP_USER", .text("text"), "sent under TLS only", example: .comment("diary"))
    static let password = Setting.optional(
        "DIARY_SMTP_PASSWORD", .text("text"), without: "required with `DIARY_SMTP_USER`", secrecy: .secret, "sent under TLS only",
        example: .file("/etc/diary/keys/smtp-password"))
    static let clientName = Setting.defaulted(
        "DIARY_SMTP_CLIENT_NAME", .text("host name"), default: "localhost", "what EHLO says", example: .comment("diary.example.org"))
    static let certificates = Setting.optional(
        "DIARY_SMTP_CERTIFICATES", .text("PEM file"), without: "the system's", "certificates that the mail server's is checked against",
        example: .comment("/etc/diary/mail-ca.pem"))
    static let outbox = Setting.optional(
        "DIARY_MAIL_OUTBOX", .text("folder"), without: "required without `DIARY_SMTP_URL` or `DIARY_MAIL_PROVIDER`",
        "mail as `.eml` files, without a mail server",
        example: .comment("/var/lib/diary/mail"))

    static let group = SettingsGroup(
        title: "Mail",
        settings: [server, user, password, clientName, certificates, outbox] + MailProviderSettings.all + MailFeedbackSettings.all)
}

extension MailSettings: CustomStringConvertible {
    /// The folder, the server or the provider.
    var description: String {
        switch self {
        case .outbox(let folder): folder
        case .smtp(let server, _): "\(server.host):\(server.port)"
        case .sendGrid: MailProvider.sendgrid.title
        case .ses: MailProvider.ses.title
        }
    }
}

extension MailSettings {
    /// - Throws: `MailFailure`, or `TransferError` when the thread of transfers cannot be started.
    func transport(_ providers: MailProviders) throws -> any MailTransport {
        switch self {
        case .outbox(let folder): return try FileOutbox(folder: folder)
        case .smtp(let server, let certificateFile):
            // The host is the operator's own choice, so it may lie in a private network.
            let transfers = try CurlTransfers(
                TransferConfiguration(hosts: [server.allowedHost(mayBePrivate: true)], certificateFile: certificateFile), name: "smtp")
            return SMTPSender(transfers: transfers, server: server)
        case .sendGrid(let key): return try providers.sendGrid(key: key, region: nil)
        case .ses(let account): return try providers.ses(account)
        }
    }
}

/// Which mail server, and how the connection is secured.
struct SMTPAddress: Sendable {
    let host: String
    /// nil: the scheme's own.
    let port: Int?
    let security: SMTPServer.Security

    /// `smtps://host[:465]`, `smtp://host[:587]` (STARTTLS, required), or `smtp+plain://host[:25]` for a relay on the same machine.
    init(url text: String) throws(SettingForm<SMTPAddress>.Fault) {
        let form = "must be smtps://host[:port], smtp://host[:port] (with STARTTLS) or smtp+plain://host[:port]"
        guard let url = URLComponents(string: text), let scheme = url.scheme, let host = url.host, !host.isEmpty,
            url.path.isEmpty || url.path == "/", url.query == nil, url.user == nil, url.password == nil
        else { throw .init(form) }
        switch scheme {
        case "smtps": security = .implicit
        case "smtp": security = .startTLS
        case "smtp+plain": security = .none
        default: throw .init(form)
        }
        if let port = url.port, !(1...65_535).contains(port) { throw .init("has a port outside 1 … 65535") }
        port = url.port
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
