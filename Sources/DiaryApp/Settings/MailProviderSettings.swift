import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryMail
import S3Client

/// Providers that take mail over HTTP: of the installation, and where those of apps answer.
struct MailProviderSettings: Sendable {
    let sendGrid: MailEndpoint?
    let ses: MailEndpoint?
    /// AWS', of the installation and of apps that name none.
    let region: String?

    init(_ environment: Environment) throws(SettingsError) {
        sendGrid = try environment.read(Self.sendGridURL)
        ses = try environment.read(Self.sesURL)
        region = try environment.read(Self.sesRegion)
    }

    func providers() throws(TransferError) -> MailProviders { try MailProviders(sendGrid: sendGrid, ses: ses) }

    /// The installation's provider; nil when its mail leaves by SMTP or into a folder.
    static func service(_ environment: Environment) throws(SettingsError) -> MailSettings? {
        guard let chosen = try environment.read(provider) else { return nil }
        func needed<Value>(_ setting: Setting<Value?>) throws(SettingsError) -> Value {
            guard let value = try environment.read(setting) else {
                throw SettingsError(setting, "is required with \(provider.name)=\(chosen.rawValue)")
            }
            return value
        }
        switch chosen {
        case .sendgrid: return .sendGrid(key: try needed(sendGridKey))
        case .ses:
            let token = try environment.read(sesSessionToken).map { String(decoding: $0.bytes(), as: UTF8.self) }
            let credentials = SigV4Credentials(
                accessKeyID: try needed(sesAccessKey), secret: try needed(sesSecretKey), sessionToken: token)
            return .ses(
                SESAccount(
                    region: try needed(sesRegion), credentials: credentials, configurationSet: try environment.read(sesConfigurationSet)))
        }
    }
}

extension MailProviderSettings {
    static let provider = Setting<MailProvider?>.optional(
        "DIARY_MAIL_PROVIDER", .choice(), without: "the mail server or the folder",
        "mail leaves by this provider's interface in place of SMTP; apps may have their own (`mail.provider` of `diary tenant settings`)",
        example: .comment("sendgrid"))
    static let sendGridKey = secret("DIARY_SENDGRID_KEY", "sendgrid", "an API key that may send mail (`mail.send`)", "sendgrid-key")
    static let sendGridURL = Setting<MailEndpoint?>.optional(
        "DIARY_SENDGRID_URL", address, without: "SendGrid's own", "where SendGrid answers, apps' mail included",
        example: .comment("https://api.eu.sendgrid.com"))
    static let sesRegion = Setting<String?>.optional(
        "DIARY_SES_REGION", .region, without: "required with `DIARY_MAIL_PROVIDER=ses`", "also of apps with `ses` that name none",
        example: .comment("eu-central-1"))
    static let sesAccessKey = Setting<String?>.optional(
        "DIARY_SES_ACCESS_KEY", .accessKey, without: "required with `DIARY_MAIL_PROVIDER=ses`", "the id of the key that signs",
        example: .comment("AKIAIOSFODNN7EXAMPLE"))
    static let sesSecretKey = secret("DIARY_SES_SECRET_KEY", "ses", "signs requests to SES", "ses-secret-key")
    static let sesSessionToken = Setting<SecretBytes?>.optional(
        "DIARY_SES_SESSION_TOKEN", .visibleBytes(8_192), secrecy: .secret, "of a key that was issued for a while",
        example: .file("/etc/diary/keys/ses-session-token"))
    static let sesConfigurationSet = Setting<String?>.optional(
        "DIARY_SES_CONFIGURATION_SET",
        SettingForm<String>("text", fault: "must be 1 to 64 letters, digits, hyphens and underscores") { text in
            TenantSetting.isName(text, max: 64) ? text : nil
        }, "named in each request; opens and clicks are not tracked in any case", example: .comment("diary"))
    static let sesURL = Setting<MailEndpoint?>.optional(
        "DIARY_SES_URL", address, without: "that of the region", "where SES answers, apps' mail included",
        example: .comment("https://email.eu-central-1.amazonaws.com"))

    static let all: [any DeclaredSetting] = [
        provider, sendGridKey, sendGridURL, sesRegion, sesAccessKey, sesSecretKey, sesSessionToken, sesConfigurationSet, sesURL,
    ]

    private static let address = SettingForm<MailEndpoint>(
        "`http(s)://host[:port]`", fault: "must be http(s)://host[:port] without a path"
    ) { MailEndpoint($0) }

    private static func secret(_ name: String, _ provider: String, _ meaning: String, _ file: String) -> Setting<SecretBytes?> {
        Setting<SecretBytes?>.optional(
            name, .visibleBytes(4_096), without: "required with `DIARY_MAIL_PROVIDER=\(provider)`", secrecy: .secret, meaning,
            example: .file("/etc/diary/keys/\(file)"))
    }
}
