import CurlTransfer
import DiaryCore
import DiaryMail
import Logging

/// The signers of reports of bounces and complaints, when the installation's own mail leaves by a provider. Read by the API.
struct MailFeedbackSettings: Sendable {
    let trust: MailFeedbackTrust
    /// In place of the host that a topic's region has.
    let sns: MailEndpoint?

    init(_ environment: Environment) throws(SettingsError) {
        trust = MailFeedbackTrust(
            sendGridKey: try environment.read(Self.sendGridKey), topics: try environment.read(Self.topics) ?? [])
        sns = try environment.read(Self.snsURL)
    }

    func reader(_ transfers: CurlTransfers, _ logger: Logger) -> MailFeedbackReader {
        MailFeedbackReader(transfers: transfers, sns: sns) { unread in
            logger.warning("events of the mail provider cannot be read and were left out", metadata: ["events": "\(unread)"])
        }
    }
}

extension MailFeedbackSettings {
    static let sendGridKey = Setting<String?>.optional(
        "DIARY_SENDGRID_WEBHOOK_KEY",
        SettingForm<String>("base64 in one line", fault: "must be \(TenantSetting.Pattern.p256Key.rule)") { text in
            TenantSetting.Pattern.p256Key.accepts(text) ? text : nil
        }, without: "reports of SendGrid are refused",
        "the verification key of the Event Webhook, which reports to `/webhooks/mail/sendgrid`; apps may have their own (`mail.webhook_key`)",
        example: .comment("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…"))
    static let topics = Setting<Set<String>?>.optional(
        "DIARY_SES_TOPICS",
        SettingForm<Set<String>>("ARNs", fault: "must be up to 20 ARNs of topics of Amazon SNS, with commas between") { text in
            let topics = text.split(separator: ",", omittingEmptySubsequences: false).map { SNSTopic($0.trimmed)?.arn }
            return topics.count <= 20 && !topics.contains(nil) ? Set(topics.compactMap(\.self)) : nil
        }, without: "reports of SES are refused",
        "topics of Amazon SNS that SES reports to, for `/webhooks/mail/ses`; apps may have their own (`mail.topics`)",
        example: .comment("arn:aws:sns:eu-central-1:123456789012:diary-mail"))
    static let snsURL = Setting<MailEndpoint?>.optional(
        "DIARY_SNS_URL",
        SettingForm<MailEndpoint>("`http(s)://host[:port]`", fault: "must be http(s)://host[:port] without a path") { MailEndpoint($0) },
        without: "that of the topic's region", "where certificates of SNS are fetched and subscriptions are confirmed",
        example: .comment("https://sns.eu-central-1.amazonaws.com"))

    static let all: [any DeclaredSetting] = [sendGridKey, topics, snsURL]
}
