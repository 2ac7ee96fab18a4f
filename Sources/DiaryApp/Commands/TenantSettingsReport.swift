import DiaryCore

/// The settings of an app, as `diary tenant settings` prints them.
struct TenantSettingsReport {
    /// nil: no app was named.
    let configuration: TenantConfiguration?
    let environment: Environment

    struct Row: Sendable {
        let name: String
        let allowed: String
        let `default`: String
        let value: TenantValue?
        let meaning: String
        /// In the table, in place of the value.
        var short: String? = nil
    }

    static let form = ReportForm<Row>(
        .field("name") { $0.name }, .field("allowed") { $0.allowed }, .field("default") { $0.default }, .member("value") { $0.value },
        .field("meaning") { $0.meaning })

    private static let ofApp = ReportForm<Row>(
        .column("name") { $0.name }, .column("now") { $0.short ?? $0.value?.text ?? "default" }, .column("default") { $0.default },
        .column("allowed") { $0.allowed })

    func show(json: Bool) throws {
        let rows = try rows()
        if json || configuration == nil { Self.form.show(rows, json: json) } else { Self.ofApp.table(rows).show() }
    }

    private func rows() throws -> [Row] {
        let flags = configuration?.flags.map { flag in
            Row(
                name: TenantConfiguration.flagPrefix + flag.name, allowed: Self.flagForm, default: "none", value: flag.value,
                meaning: Self.flagMeaning)
        }
        let prompts = configuration?.promptCounts.map { list in
            Row(
                name: list.name, allowed: DailyPrompts.form, default: "none", value: configuration?.values[list.name],
                meaning: Self.promptMeaning, short: "\(list.count) prompts")
        }
        let settings = try TenantSetting.all.map { setting in
            Row(
                name: setting.name, allowed: Self.form(setting), default: try fallback(setting), value: configuration?.values[setting.name],
                meaning: setting.about)
        }
        return settings
            + (prompts ?? [
                Row(name: "prompts.<language>", allowed: DailyPrompts.form, default: "none", value: nil, meaning: Self.promptMeaning)
            ])
            + (flags ?? [Row(name: "flags.<name>", allowed: Self.flagForm, default: "none", value: nil, meaning: Self.flagMeaning)])
    }

    private static let flagForm = "true, false, a number or a text"
    private static let promptMeaning = "questions of the day, GET /v1/prompts/today"
    private static let flagMeaning = "handed to the app by GET /v1/config"

    private static func form(_ setting: TenantSetting) -> String {
        switch setting.form {
        case .whole(let range): "\(range.lowerBound) … \(range.upperBound)"
        case .choice(let choices): choices.joined(separator: " or ")
        case .list(.host): "up to \(TenantSetting.Item.most) host names, with commas between"
        case .list(.origin): "up to \(TenantSetting.Item.most) origins, with commas between"
        case .list(.topic): "up to \(TenantSetting.Item.most) ARNs of topics, with commas between"
        case .list(.word(let words)): "\(words.joined(separator: ", ")), with commas between"
        case .line(let most): "one line of up to \(most) characters"
        case .pattern(let pattern): pattern.rule
        case .name(let most): "up to \(most) letters, digits, hyphens and underscores"
        }
    }

    /// The value that an app has without the setting.
    func fallback(_ setting: TenantSetting) throws(SettingsError) -> String {
        let factor = try environment.read(LimitSettings.rateFactor)
        if let limit = RatePolicies(times: factor).declared.first(where: { $0.setting == setting })?.policy.shape.limit {
            return String(limit)
        }
        return switch setting {
        case .audioMaxBytes: String(try environment.read(LimitSettings.maxAudioBytes))
        case .audioMaxSeconds: String(try environment.read(LimitSettings.maxAudioSeconds))
        case .importMaxBytes: String(try environment.read(LimitSettings.maxImportBytes))
        case .importMaxEntries: String(try environment.read(LimitSettings.maxImportEntries))
        case .uploadURLSeconds: String(try environment.read(LimitSettings.uploadURLSeconds))
        case .uploadWindowSeconds: String(Limits().uploadWindowSeconds)
        case .cleanup, .keepOriginal, .recordingsRetentionChoice: "on"
        case .guessSpeakers: "off"
        case .exportLinkSeconds: String(try environment.read(LimitSettings.exportLinkSeconds))
        case .cleanupPrompt: "built in"
        case .tombstoneDays: String(TenantConfiguration().tombstoneDays)
        case .hostedProcessing: HostedProcessing.allowed.rawValue
        case .trashDays: "0"
        case .hosts, .corsOrigins, .cleanupExtras, .recordingsRetentionDays, .exportKeepDays, .exportRetentionDays, .mailSecret,
            .mailConfigurationSet, .mailWebhookKey, .mailTopics, .mailLogo, .mailFooter, .privacyLink, .termsLink, .supportLink:
            "none"
        case .mailLocale: "en"
        case .mailColor: "#2f5d50"
        case .mailProvider, .mailRegion: "the installation's"
        case _ where TenantSetting.usage.contains(setting): "none"
        default: "the service's own"
        }
    }
}

extension RatePolicy.Shape {
    fileprivate var limit: Int? {
        switch self {
        case .rate(let limit, _, _), .quota(let limit, _): limit
        case .backoff: nil
        }
    }
}
