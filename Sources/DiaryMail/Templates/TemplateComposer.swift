package import DiaryCore
import FoundationEssentials

/// Fills the template of each kind of mail.
package struct TemplateComposer: MailComposer {
    let codeMinutes: Int

    /// - Parameter codeMinutes: how long a mailed code is valid.
    package init(codeMinutes: Int) { self.codeMinutes = codeMinutes }

    package func compose(
        _ kind: MailKind, payload: MailPayload, mail: MailID, tenant: Tenant, export: ReadyExport?
    ) throws(MailFailure) -> OutgoingMessage {
        let template: MailTemplate
        switch kind {
        case .signInCode, .resetCode, .addressCode, .reauthenticationCode, .sessionReused, .passwordChanged, .addressChanged,
            .identityLinked,
            .identityUnlinked:
            guard let mailed = AccountMail(kind, code: payload.code, appName: tenant.name, minutes: codeMinutes) else {
                throw .refused("no code")
            }
            return mailed.message(id: mail, fromName: tenant.mailFromName, fromAddress: tenant.mailFromAddress, to: payload.to)
        case .verificationCode:
            guard let code = payload.code else { throw .refused("no code") }
            template = .verificationCode(code: code, appName: tenant.name, minutes: codeMinutes)
        case .addressAlreadyRegistered:
            template = .addressAlreadyRegistered(appName: tenant.name)
        case .exportReady:
            guard let export else { throw .refused("no export") }
            template = .exportReady(
                link: export.link, appName: tenant.name, expiresAt: Self.text(export.expiresAt), from: export.from.description,
                to: export.to.description)
        }
        return template.message(id: mail, fromName: tenant.mailFromName, fromAddress: tenant.mailFromAddress, to: payload.to)
    }

    private static func text(_ date: Date) -> String {
        let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        return whole.formatted(.iso8601).map { $0 == "T" ? " " : String($0) }.joined().replacing("Z", with: " UTC")
    }
}
