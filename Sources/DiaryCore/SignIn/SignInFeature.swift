/// Sign-up, sign-in by password or mailed code, and the life of a session's tokens. Sign-in by Apple and Google: `IdentityFeature`.
package struct SignInFeature: Sendable {
    package let register: RegisterByEmail
    package let resend: ResendCode
    package let verify: VerifyEmail
    package let byPassword: SignInByPassword
    package let requestCode: RequestCode
    package let byCode: SignInByCode
    package let resetPassword: ResetPassword
    package let rotate: RotateSession
    package let passwordCheck: PasswordCheck

    init(_ ports: FeaturePorts) {
        let (accounts, keys, serviceKeys) = (ports.accounts, ports.signInKeys, ports.serviceKeys)
        let (issuer, codes, jobSignals) = (ports.issuer, ports.codes, ports.jobSignals)
        register = RegisterByEmail(
            accounts: accounts, keys: keys, hasher: ports.hasher, serviceKeys: serviceKeys, jobSignals: jobSignals, limits: ports.limits,
            clock: ports.clock)
        resend = ResendCode(
            mails: AccountMails(accounts: accounts, keys: keys, serviceKeys: serviceKeys, limits: ports.limits, clock: ports.clock),
            jobSignals: jobSignals)
        verify = VerifyEmail(accounts: accounts, keys: keys, serviceKeys: serviceKeys, issuer: issuer)
        byPassword = SignInByPassword(
            accounts: accounts, keys: keys, hasher: ports.hasher, serviceKeys: serviceKeys, issuer: issuer, guesses: ports.guesses)
        requestCode = RequestCode(
            accounts: accounts, credentials: ports.credentials, keys: keys, jobSignals: jobSignals, codes: codes)
        byCode = SignInByCode(
            accounts: accounts, credentials: ports.credentials, keys: keys, issuer: issuer, guesses: ports.guesses, codes: codes)
        resetPassword = ResetPassword(
            accounts: accounts, credentials: ports.credentials, keys: keys, hasher: ports.hasher, jobSignals: jobSignals, issuer: issuer,
            guesses: ports.guesses, codes: codes)
        rotate = RotateSession(
            accounts: accounts, serviceKeys: serviceKeys, tenants: ports.tenants, jobSignals: jobSignals, issuer: issuer)
        passwordCheck = ports.passwordCheck
    }
}

extension DiaryFeatures {
    package var signIn: SignInFeature { SignInFeature(ports) }
}
