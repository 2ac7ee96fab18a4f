import DiaryCore
import DiaryMail
import FoundationEssentials

/// One mail of each kind, written as the worker writes it and not sent.
enum SampleMails {
    struct Fault: Equatable {
        let option: String
        let reason: String
    }

    /// Why a mail of the app cannot be written; nil when every kind can.
    static func fault(of tenant: Tenant) -> Fault? {
        let composer = TemplateComposer(codeMinutes: Limits().codeSeconds / 60)
        let payload = MailPayload(to: "anna@example.org", code: "01234567")
        let day = CalendarDay("2026-01-01")
        let export = day.map {
            ReadyExport(link: "https://example.org/exports/sample", from: $0, to: $0, expiresAt: Date(), timeZone: "UTC")
        }
        for kind in MailKind.allCases {
            do throws(MailFailure) {
                let mail = try composer.compose(kind, payload: payload, mail: MailID(UUIDv7.make()), tenant: tenant, export: export)
                _ = try MailMessageBuilder.bytes(of: mail, date: Date())
            } catch .refused(let field) {
                return Fault(option: options[field] ?? "--name", reason: "the \(field) of the mail \(kind.rawValue) cannot be written")
            } catch {
                return Fault(option: "--name", reason: "the mail \(kind.rawValue) cannot be written")
            }
        }
        return nil
    }

    /// By the field that `MailMessageBuilder` names.
    private static let options = ["sender address": "--mail-from", "sender name": "--mail-from-name", "subject": "--name"]
}
