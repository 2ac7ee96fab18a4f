package import DiaryCore

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
            let dates = ReadableDates(locale: export.locale)
            let days = dates.text(export.from, to: export.to)
            template = .exportReady(
                link: export.link, appName: tenant.name, expiresAt: dates.text(export.expiresAt, in: export.timeZone),
                days: export.from == export.to ? "of \(days)" : "from \(days)")
            var message = template.message(
                id: mail, fromName: tenant.mailFromName, fromAddress: tenant.mailFromAddress, to: payload.to)
            message.unsubscribe = export.unsubscribe
            return message
        }
        return template.message(id: mail, fromName: tenant.mailFromName, fromAddress: tenant.mailFromAddress, to: payload.to)
    }
}
