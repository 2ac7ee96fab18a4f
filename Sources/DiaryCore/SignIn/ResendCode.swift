/// Sends a new code for a pending sign-up; the answer is the same when there is none (B8).
package struct ResendCode: Sendable {
    let mails: AccountMails
    let jobSignals: any JobSignals

    package func run(
        _ email: MailAddress, registration: Registration, from origin: RequestOrigin, in tenant: Tenant
    ) async throws(DiaryError) {
        let hash = mails.serviceKeys.addressHash(email.normalised, tenant: tenant.id)
        let known = try await mails.accounts.emailIdentity(hash, tenant: tenant.id)
        try await mails.repeatCode(known.flatMap { $0.verified ? nil : $0 }, to: email, registration, requester: origin, in: tenant.id)
        jobSignals.jobCommitted(.mail)
    }
}
