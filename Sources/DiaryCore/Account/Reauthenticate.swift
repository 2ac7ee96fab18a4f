/// Makes a session fresh, by the password or a code mailed to the account's address: for ten minutes it may call the operations that
/// require it. (Signing in makes a session fresh, too.)
package struct Reauthenticate: Sendable {
    let credentials: any CredentialStore
    let keys: DataKeys
    let hasher: any PasswordHasher
    let jobSignals: any JobSignals
    let guesses: GuessLimit
    let codes: AccountCodes

    package func run(_ member: Member, password: String) async throws(DiaryError) {
        // The session is checked first: a token of an ended session must not use up the owner's guesses.
        let known = try await credentials.credentials(of: member, freshSeconds: codes.limits.freshProofSeconds)
        try await guesses.counting(.member(member.owner)) { caller async throws(DiaryError) in
            guard try await hasher.matches(password, known.passwordPHC, for: caller) else { throw DiaryError(.reauthenticationRequired) }
            try await credentials.prove(member)
        }
    }

    package func run(_ member: Member, code: String, request: CodeRequest) async throws(DiaryError) {
        let shown = codes.shown(code, .reauthenticate, request, owner: member.owner)
        guard try await credentials.prove(member, by: shown) else { throw DiaryError(.reauthenticationRequired) }
    }

    /// Mails a code to the account's own proved address.
    package func requestCode(_ member: Member) async throws(DiaryError) -> CodeRequest {
        let known = try await credentials.credentials(of: member, freshSeconds: codes.limits.freshProofSeconds)
        let vault = try await keys.vault(of: member)
        guard known.addressIsProved, let address = try known.address(vault) else { throw DiaryError(.addressNotVerified) }
        let request = CodeRequest()
        let (code, mail) = try codes.make(.reauthenticate, to: address, request, vault: vault)
        _ = try await credentials.mailCode(code, mail: mail, to: member.owner, requester: .member(member), limits: codes.limits)
        jobSignals.jobCommitted(.mail)
        return request
    }
}
