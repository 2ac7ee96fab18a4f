import DiaryCrypto

/// What an operator may set for one app. The names are stored and shown; what is not set is as for the whole service.
///
/// Settings that replace a rate limit are declared with the limit, in `RatePolicies`.
package struct TenantSetting: Sendable, Equatable {
    package enum Form: Sendable, Equatable {
        case whole(ClosedRange<Int64>)
        case choice([String])
        /// Stored with commas between.
        case list(Item)
        /// One line of up to so many code points.
        case line(Int)
        /// Up to so many ASCII letters, digits, `-` and `_`.
        case name(Int)
        case pattern(Pattern)
    }

    package enum Pattern: Sendable, Equatable {
        /// A color of sRGB, `#2f5d50`.
        case color
        /// An address of the web, https.
        case link
        /// The same, or `mailto:` and an address without parameters.
        case contact
        /// The base64 of a SubjectPublicKeyInfo on P-256, in one line.
        case p256Key
        /// A language, and maybe a country: `de`, `de-AT`.
        case locale

        package func accepts(_ text: String) -> Bool {
            switch self {
            case .color:
                text.utf8.count == 7 && text.hasPrefix("#")
                    && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
            case .link: WebLink.accepts(text)
            case .contact: WebLink.accepts(text) || Self.isMailLink(text)
            case .p256Key: P256PublicKey(base64: text) != nil
            case .locale: MailLocale(text) != nil
            }
        }

        package var rule: String {
            switch self {
            case .color: "a color such as #2f5d50"
            case .link: "an address that begins with https://, at most \(WebLink.longest) characters, without spaces and quotes"
            case .contact: "an address that begins with https://, or mailto: and a mail address"
            case .p256Key: "a public key on P-256 as base64 of its SubjectPublicKeyInfo, in one line"
            case .locale: "a language such as de, or with a country such as de-AT"
            }
        }

        /// An address with `?`, `&`, `%` or `#` would need escapes (RFC 6068).
        private static func isMailLink(_ text: String) -> Bool {
            guard text.hasPrefix("mailto:"), !text.utf8.contains(where: { "?&%#".utf8.contains($0) }) else { return false }
            return MailAddress(String(text.dropFirst("mailto:".count))) != nil
        }
    }

    package enum Item: Sendable, Equatable {
        case host, origin
        /// An ARN of a topic of Amazon SNS.
        case topic
        case word([String])

        package static let most = 20

        /// The value as it is stored; nil when the text is none.
        func normalised(_ text: some StringProtocol) -> String? {
            switch self {
            case .host: HostName(text)?.text
            case .origin: WebOrigin(text)?.text
            case .topic: SNSTopic(String(text))?.arn
            case .word(let words): words.first { $0 == text }
            }
        }

        var rule: String {
            switch self {
            case .host: "host names such as diary.example.org, without a port, with commas between"
            case .origin:
                "origins such as https://app.example.org, with commas between: https (http for localhost), host and port, no path and no *"
            case .topic: "ARNs such as arn:aws:sns:eu-central-1:123456789012:diary-mail, with commas between"
            case .word(let words): "of \(words.joined(separator: ", ")), with commas between"
            }
        }
    }

    /// The name as stored; never changes.
    package let name: String
    package let form: Form
    package let about: String
}

extension TenantSetting {
    package static let audioMaxBytes = limit(
        "limits.audio_max_bytes", 0...53_687_091_200,
        "longest recording in bytes, never above the service's own limit; 0: no recordings are taken")
    package static let audioMaxSeconds = limit(
        "limits.audio_max_seconds", 1...86_400, "longest recording in seconds; never above the service's own limit")
    package static let importMaxBytes = limit(
        "limits.import_max_bytes", 1...53_687_091_200, "largest zip to be imported in bytes; never above the service's own limit")
    package static let importMaxEntries = limit(
        "limits.import_max_entries", 1...1_000_000, "entries of a zip that is imported; never above the service's own limit")
    /// With `limits.upload_url_seconds` of `request_erasure` in the schema.
    package static let longestUploadURL: Int64 = 86_400
    package static let uploadURLSeconds = limit(
        "limits.upload_url_seconds", 60...longestUploadURL,
        "life of an upload address: as long as phones may take until they begin to send")
    package static let uploadWindowSeconds = limit(
        "limits.upload_window_seconds", 3_600...31_536_000,
        "how long an entry waits for its recording; a change leaves entries that wait as they are")
    package static let cleanup = TenantSetting(
        name: "cleanup", form: .choice(["on", "off"]), about: "off: the words as recognised are what is shown")
    package static let cleanupExtras = TenantSetting(
        name: "cleanup.extras", form: .list(.word(TextRequest.Extra.allCases.map(\.rawValue))),
        about:
            "what a language model makes besides the cleaned text, and of typed texts, which stay as they are; suggestions are tags and a mood"
    )
    package static let cleanupPrompt = TenantSetting(
        name: "cleanup.prompt", form: .line(2_000),
        about: "what a language model is told to do with a transcript, in place of the service's words")
    package static let guessSpeakers = TenantSetting(
        name: "speech.guess_speakers", form: .choice(["on", "off"]),
        about: "on: where an engine tells no speakers apart they are taken to change at pauses, two by turns, and marked as a guess")
    package static let keepOriginal = TenantSetting(
        name: "recordings.keep_original", form: .choice(["on", "off"]),
        about: "off: of a recording that is not AAC in MP4 only the copy that is stays; counts for what is verified from then on")
    package static let tombstoneDays = TenantSetting(
        name: "retention.tombstone_days", form: .whole(7...3_650),
        about: "how long a deletion stays in the feed; apps that sync less often start again")
    package static let recordingsRetentionDays = TenantSetting(
        name: "recordings.retention_days", form: .whole(1...36_500),
        about: "days after their arrival when finished recordings are removed; their texts stay. Not set: never")
    package static let recordingsRetentionChoice = TenantSetting(
        name: "recordings.retention_choice", form: .choice(["on", "off"]),
        about: "on: members may choose fewer days for their own recordings; off: the app's days hold")
    package static let exportLinkSeconds = TenantSetting(
        name: "exports.link_seconds", form: .whole(1...2_592_000),
        about: "how long the zips of an export and their links stay; counts for what is built from then on")
    package static let exportKeepDays = TenantSetting(
        name: "exports.keep_days", form: .whole(1...3_650),
        about: "how long zips stay for their owner that a schedule keeps (keep_last); mailed links end as others. Not set: as other zips")
    package static let exportRetentionDays = TenantSetting(
        name: "exports.retention_days", form: .whole(1...36_500),
        about: "days after its end when an export leaves the account's list; events stay. Not set: never")
    package static let trashDays = TenantSetting(
        name: "trash_days", form: .whole(0...365), about: "how long a deleted entry can be restored; 0: not at all")

    package static let hosts = TenantSetting(
        name: "hosts", form: .list(.host), about: "requests to these hosts that name no app are for this one")
    package static let corsOrigins = TenantSetting(
        name: "cors_origins", form: .list(.origin), about: "web pages of these origins may call the API from a browser")

    package static let hostedProcessing = TenantSetting(
        name: "hosted_processing", form: .choice(HostedProcessing.allCases.map(\.rawValue)),
        about: "consent: recordings and texts go to engines outside the machine only for members who consented; off: for no member")
    package static let engineMinutesPerDay = limit(
        "limits.engine_minutes_per_day", 1...1_000_000, "minutes of audio that engines may hear for one account in a day")
    package static let engineTokensPerDay = limit(
        "limits.engine_tokens_per_day", 1_000...1_000_000_000_000,
        "tokens that text engines may read and write for one account in a day; before a call each character counts as one")
    package static let engineCostPerDay = limit(
        "limits.engine_cost_per_day", 1...1_000_000_000_000,
        "what engines may cost for one account in a day, in millionths of the currency of their prices")
    package static let storageBytes = limit(
        "limits.storage_bytes", 1...9_007_199_254_740_991, "bytes of recordings that one account may store")
    package static let appCostPerDay = limit(
        "budget.cost_per_day", 1...1_000_000_000_000,
        "what engines may cost for all accounts together in a day, in millionths of the currency of their prices")

    package static let mailProvider = TenantSetting(
        name: "mail.provider", form: .choice(MailProvider.allCases.map(\.rawValue)),
        about: "the app's mail leaves by this provider in place of the installation's service")
    package static let mailSecret = TenantSetting(
        name: "mail.secret", form: .name(40),
        about: "the app's secret for mail.provider: SendGrid's API key, or SES' ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]")
    package static let mailRegion = TenantSetting(
        name: "mail.region", form: .name(40), about: "of mail.provider: for ses an AWS region, for sendgrid eu or global")
    package static let mailConfigurationSet = TenantSetting(
        name: "mail.configuration_set", form: .name(64), about: "for ses: the configuration set that is named in each request")

    package static let mailWebhookKey = TenantSetting(
        name: "mail.webhook_key", form: .pattern(.p256Key),
        about: "verification key of SendGrid's Event Webhook, for reports to /webhooks/mail/sendgrid?app=SLUG")
    package static let mailTopics = TenantSetting(
        name: "mail.topics", form: .list(.topic), about: "topics of Amazon SNS that may report to /webhooks/mail/ses?app=SLUG")
    package static let mailLocale = TenantSetting(
        name: "mail.locale", form: .pattern(.locale),
        about: "of mails, and of the page in a zip, for accounts whose language has no words; without it en")
    package static let mailColor = TenantSetting(
        name: "mail.color", form: .pattern(.color),
        about: "of mails, pages and zips: the line above them and buttons, whose letters are black or white")
    package static let mailLogo = TenantSetting(
        name: "mail.logo", form: .pattern(.link),
        about: "a picture above mails and pages in place of the app's name, fetched from its own site when one is opened")
    package static let mailFooter = TenantSetting(
        name: "mail.footer", form: .line(500), about: "last line of every mail, such as the operator's name and address")

    package static let privacyLink = TenantSetting(
        name: "links.privacy", form: .pattern(.link), about: "the app's privacy policy, for its clients to show")
    package static let termsLink = TenantSetting(
        name: "links.terms", form: .pattern(.link), about: "the app's terms, for its clients to show")
    package static let supportLink = TenantSetting(
        name: "links.support", form: .pattern(.contact), about: "where the app's members get help, for its clients to show")

    /// Without one of these there is no limit.
    package static let usage = [engineMinutesPerDay, engineTokensPerDay, engineCostPerDay, appCostPerDay, storageBytes]
    /// What is wrong with the value of a `line`; nil when nothing is.
    static func fault(ofLine text: String, max: Int) -> String? { OneLineText.fault(ofName: text, max: max) }

    /// Whether a text is a value of `name(max)`.
    package static func isName(_ text: String, max: Int) -> Bool {
        (1...max).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    static func limit(_ name: String, _ range: ClosedRange<Int64>, _ about: String) -> TenantSetting {
        TenantSetting(name: name, form: .whole(range), about: about)
    }

    /// All settings in the order of `diary tenant settings`: limits of members, limits before sign-in, and the rest.
    package static let all =
        [DeclaredRatePolicy.Subject.member, .address].flatMap { subject in
            RatePolicies.standard.declared.filter { $0.subject == subject }.compactMap(\.setting)
        } + [audioMaxBytes, audioMaxSeconds, importMaxBytes, importMaxEntries, uploadURLSeconds, uploadWindowSeconds] + usage
        + [
            cleanup, cleanupExtras, cleanupPrompt, guessSpeakers, hostedProcessing, keepOriginal, tombstoneDays, recordingsRetentionDays,
            recordingsRetentionChoice,
            exportLinkSeconds, exportKeepDays, exportRetentionDays, trashDays, hosts, corsOrigins, mailProvider, mailSecret, mailRegion,
            mailConfigurationSet,
            mailWebhookKey, mailTopics, mailLocale, mailColor, mailLogo, mailFooter, privacyLink, termsLink, supportLink,
        ]

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    /// nil when this version has no such setting.
    package static func named(_ name: String) -> TenantSetting? { byName[name] }
}
