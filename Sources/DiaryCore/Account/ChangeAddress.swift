/// Changes the account's address: a code mailed to the new one proves it, and the old one is notified. Requires a fresh session.
package struct ChangeAddress: Sendable {
    let accounts: any SignInStore
    let credentials: any CredentialStore
    let keys: DataKeys
    let jobSignals: any JobSignals
    let codes: AccountCodes
    let writes: IdempotentWrites

    /// The answer is the same for an address that has an account; a mail to that address says so.
    /// - Returns: the secret that must be sent back with the code, and whether an earlier request with the same key has mailed it.
    package func request(
        _ email: MailAddress, key: RequestKey = .none, by member: Member
    ) async throws(DiaryError) -> (value: CodeRequest, replayed: Bool) {
        let request = CodeRequest(.address, key, by: member, codes.serviceKeys)
        return try await writes.run(.code, key, request: ["new_email", email.text], subject: member.user.uuid, by: member) {
            claim throws(DiaryError) in
            try await mail(email, request, claim, by: member)
            return request
        } replay: { _ throws(DiaryError) in
            request
        }
    }

    private func mail(_ email: MailAddress, _ request: CodeRequest, _ claim: KeyClaim?, by member: Member) async throws(DiaryError) {
        guard try await credentials.credentials(of: member, freshSeconds: codes.limits.freshProofSeconds).isFresh else {
            throw DiaryError(.reauthenticationRequired)
        }
        let vault = try await keys.vault(of: member)
        let hash = codes.serviceKeys.addressHash(email.normalised, tenant: member.tenant)
        let sealed = try vault.seal(Array(email.text.utf8), .email, row: member.user.uuid)
        var (code, mail) = try codes.make(.address, to: email.text, request, vault: vault, newAddress: (hash, sealed))
        // Counted like any other, because the counts would otherwise show that the address is taken; this code is in no mail.
        if try await accounts.emailIdentity(hash, tenant: member.tenant)?.verified == true {
            mail = try vault.mail(.addressAlreadyRegistered, MailPayload(to: email.text, code: nil), at: codes.clock.now())
        }
        _ = try await credentials.mailCode(
            code, mail: mail, to: member.owner, requester: .member(member), limits: codes.limits, claim: claim)
        jobSignals.jobCommitted(.mail)
    }

    /// - Returns: whether an earlier request with the same key did it.
    @discardableResult
    package func confirm(
        code: String, request: CodeRequest, key: RequestKey = .none, by member: Member, from origin: RequestOrigin
    ) async throws(DiaryError) -> Bool {
        try await writes.run(.addressProof, key, request: [code, request.text], subject: member.user.uuid, by: member) {
            claim throws(DiaryError) in
            try await prove(code, request, claim, by: member, from: origin)
        } replay: { _ in
        }.replayed
    }

    private func prove(
        _ code: String, _ request: CodeRequest, _ claim: KeyClaim?, by member: Member, from origin: RequestOrigin
    ) async throws(DiaryError) {
        let known = try await credentials.credentials(of: member, freshSeconds: codes.limits.freshProofSeconds)
        let vault = try await keys.vault(of: member)
        let old = try known.addressIsProved ? known.address(vault) : nil
        let notice = try old.map { to throws(DiaryError) in
            try vault.mail(.addressChanged, MailPayload(to: to, code: nil), at: codes.clock.now())
        }
        let presented = codes.presented(code, .address, request, owner: member.owner)
        guard try await credentials.changeAddress(presented, by: member, mail: notice, requestID: origin.requestID, claim: claim) else {
            throw DiaryError(.codeRefused)
        }
        jobSignals.jobCommitted(.mail)
    }
}
