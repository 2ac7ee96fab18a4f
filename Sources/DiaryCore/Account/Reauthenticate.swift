/// Makes a session fresh, by the password or a code mailed to the account's address: for ten minutes it may call the operations that
/// require it. (Signing in makes a session fresh, too.)
package struct Reauthenticate: Sendable {
    let credentials: any CredentialStore
    let keys: DataKeys
    let hasher: any PasswordHasher
    let jobSignals: any JobSignals
    let guesses: GuessLimit
    let codes: AccountCodes
    let writes: IdempotentWrites

    package func run(_ member: Member, password: String, from origin: RequestOrigin) async throws(DiaryError) {
        // The session is checked first: a token of an ended session must not use up the owner's guesses.
        let known = try await credentials.credentials(of: member, freshSeconds: codes.limits.freshProofSeconds)
        try await guesses.counting(.member(member.owner), from: origin.network) { caller async throws(DiaryError) in
            guard try await hasher.matches(password, known.passwordPHC, for: caller) else { throw DiaryError(.passwordRefused) }
            try await credentials.prove(member)
        }
    }

    /// - Returns: whether an earlier request with the same key did it.
    @discardableResult
    package func run(
        _ member: Member, code: String, request: CodeRequest, key: RequestKey = .none
    ) async throws(DiaryError) -> Bool {
        let presented = codes.presented(code, .reauthenticate, request, owner: member.owner)
        return try await writes.run(
            .memberProof, key, request: [code, request.text, member.session.description], subject: member.user.uuid, by: member
        ) {
            claim throws(DiaryError) in
            guard try await credentials.prove(member, by: presented, claim: claim) else { throw DiaryError(.codeRefused) }
        } replay: { _ in
        }.replayed
    }

    /// Mails a code to the account's own proved address.
    /// - Returns: the secret that must be sent back with the code, and whether an earlier request with the same key has mailed it.
    package func requestCode(_ member: Member, key: RequestKey = .none) async throws(DiaryError) -> (value: CodeRequest, replayed: Bool) {
        let request = CodeRequest(.reauthenticate, key, by: member, codes.serviceKeys)
        return try await writes.run(.code, key, request: ["proof"], subject: member.user.uuid, by: member) {
            claim throws(DiaryError) in
            try await mail(request, claim, to: member)
            return request
        } replay: { _ throws(DiaryError) in
            request
        }
    }

    private func mail(_ request: CodeRequest, _ claim: KeyClaim?, to member: Member) async throws(DiaryError) {
        let known = try await credentials.credentials(of: member, freshSeconds: codes.limits.freshProofSeconds)
        let vault = try await keys.vault(of: member)
        guard known.addressIsProved, let address = try known.address(vault) else { throw DiaryError(.addressNotVerified) }
        let (code, mail) = try codes.make(.reauthenticate, to: address, request, vault: vault)
        _ = try await credentials.mailCode(
            code, mail: mail, to: member.owner, requester: .member(member), limits: codes.limits, claim: claim)
        jobSignals.jobCommitted(.mail)
    }
}
