import DiaryCore
import DiaryMail
import FoundationEssentials

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
