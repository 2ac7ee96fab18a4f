/// What the arrival of a kind of mail proves.
extension MailKind {
    /// A code that its reader asked for a moment ago.
    package var isRequestedCode: Bool {
        switch self {
        case .verificationCode, .signInCode, .resetCode, .addressCode, .reauthenticationCode: true
        case .addressAlreadyRegistered, .exportReady, .sessionReused, .passwordChanged, .addressChanged, .identityLinked, .identityUnlinked:
            false
        }
    }

    /// Asked for at a sign-up or by a signed-in member. Entering the code proves that the address takes mail, which ends earlier reports.
    package var verifiesAddress: Bool { self == .verificationCode || self == .addressCode || self == .reauthenticationCode }
}
