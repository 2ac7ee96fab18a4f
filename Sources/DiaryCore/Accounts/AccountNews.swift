import DiaryCrypto

/// Tells the owner of an account, by mail to the proved address, what was done to it. Nothing is sent where no address is proved.
package struct AccountNews: Sendable {
    let accounts: any AccountStore
    let wakeUps: any WakeUps
    let limits: Limits
    let clock: WallClock

    package init(accounts: any AccountStore, wakeUps: any WakeUps, limits: Limits, clock: WallClock) {
        self.accounts = accounts
        self.wakeUps = wakeUps
        self.limits = limits
        self.clock = clock
    }

    /// - Parameter address: as it was before.
    func tell(_ kind: MailKind, _ address: AccountAddress, _ vault: Vault) async throws(DiaryError) {
        guard address.isProvedOtherwise, let text = try vault.text(address.sealed, .email, row: vault.owner.user.uuid) else { return }
        let mail = try vault.mail(kind, MailPayload(to: text, code: nil), at: clock.now())
        try await accounts.queue(mail, to: vault.owner, perHour: limits.codesPerHour)
        wakeUps.jobCommitted(.mail)
    }
}
