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
