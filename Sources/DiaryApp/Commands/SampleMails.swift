import DiaryCore
import DiaryMail
import FoundationEssentials

/// Mails with sample values, written as the worker writes them and not sent.
enum SampleMails {
    struct Fault: Equatable {
        let option: String
        let reason: String
    }

    /// Why a mail of the app cannot be written; nil when every kind can, in every language.
    static func fault(of tenant: Tenant) -> Fault? {
        for kind in MailKind.allCases {
            for language in WrittenLanguage.allCases {
                do throws(MailFailure) {
                    let mail = try message(kind, tenant, locales: [language.rawValue])
                    _ = try MailMessageBuilder.bytes(of: mail, date: Date())
                } catch .refused(let field) {
                    return Fault(option: options[field] ?? "--name", reason: "the \(field) of the mail \(kind.rawValue) cannot be written")
                } catch {
                    return Fault(option: "--name", reason: "the mail \(kind.rawValue) cannot be written")
                }
            }
        }
        return nil
    }

    static let composer = TemplateComposer(codeMinutes: Limits().codeSeconds / 60)

    /// - Parameter locale: the account's; of its dates too.
    static func message(
        _ kind: MailKind, _ tenant: Tenant, locales: [String], locale: String? = nil, words: MailWords? = nil
    ) throws(MailFailure) -> OutgoingMessage {
        try composer.compose(content(kind, tenant, locales: locales, locale: locale, words: words))
    }

    /// - Parameter isOfSchedule: whether the mail of an export has the link that ends such mails.
    static func content(
        _ kind: MailKind, _ tenant: Tenant, locales: [String], locale: String? = nil, words: MailWords? = nil, isOfSchedule: Bool = true
    ) -> MailContent {
        var export: ReadyExport?
        if let first = CalendarDay("2026-01-01"), let last = CalendarDay("2026-01-31") {
            export = ReadyExport(
                link: "https://example.org/exports/sample", from: first, to: last, expiresAt: Date(timeIntervalSince1970: 1_770_000_000),
                timeZone: "Europe/Berlin", locale: locale ?? locales.first,
                unsubscribe: isOfSchedule ? "https://example.org/unsubscribe/sample" : nil, entries: 31)
        }
        return MailContent(
            kind: kind, payload: MailPayload(to: "anna@example.org", code: "01234567"), mail: MailID(UUIDv7.make()), tenant: tenant,
            export: export, locales: locales, words: words)
    }

    /// Options by the name that `MailMessageBuilder` gives the field.
    private static let options = ["sender address": "--mail-from", "sender name": "--mail-from-name", "subject": "--name"]
}

extension SampleMails {
    /// Why an app's own words do not work in every mail; nil when they do. Only mails of schedules have the link that ends them, and a logo
    /// may be set and unset at any time, so the words are tried with and without each.
    static func fault(of words: MailWords, _ kind: MailKind, _ tenant: Tenant) -> Fault? {
        for isOfSchedule in kind.placeholders.contains(.unsubscribe) ? [true, false] : [false] {
            for hasLogo in [true, false] {
                var missing: [String] = []
                if kind.placeholders.contains(.unsubscribe), !isOfSchedule { missing.append("{\(MailPlaceholder.unsubscribe.rawValue)}") }
                if !hasLogo { missing.append("{logo}") }
                let mail = missing.isEmpty ? "in a mail with every value" : "in a mail without \(missing.joined(separator: " and "))"
                let app: Tenant
                do { app = try Self.app(tenant, hasLogo: hasLogo) } catch { return Fault(option: "--html", reason: "\(mail): \(error)") }
                let content = content(kind, app, locales: [words.locale], words: words, isOfSchedule: isOfSchedule)
                do throws(MailFailure) {
                    _ = try MailMessageBuilder.bytes(of: try composer.compose(content), date: Date())
                } catch {
                    return Fault(option: "--file", reason: "\(mail): it cannot be written: \(error)")
                }
                guard let html = words.html else { continue }
                do throws(MailTemplateFault) { try composer.check(html: html, in: content) } catch {
                    return Fault(option: "--html", reason: "\(mail): \(error)")
                }
            }
        }
        return nil
    }

    private static func app(_ tenant: Tenant, hasLogo: Bool) throws(TenantSettingError) -> Tenant {
        var app = tenant
        let name = TenantSetting.mailLogo.name
        if !hasLogo {
            app.configuration.unset(name)
        } else if app.configuration.text(.mailLogo) == nil {
            try app.configuration.set(name, to: "https://example.org/logo.png")
        }
        return app
    }
}
