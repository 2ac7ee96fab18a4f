import DiaryCore

extension BuiltInMails {
    static func english(_ kind: MailKind) -> String {
        switch kind {
        case .verificationCode:
            """
            Subject: Your code for {app}

            Enter this code in {app}:

            {code}

            It is valid for {minutes|1 minute|# minutes} and works once.

            If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.
            """
        case .addressAlreadyRegistered:
            """
            Subject: You already have an account with {app}

            Someone, probably you, tried to register this address with {app}. There already is an account for it.

            To get in, sign in with this address and your password.

            If it was not you, ignore this mail. Nothing was changed.
            """
        case .exportReady:
            """
            Subject: Your {app} export is ready

            The export of your {app} entries {days} is ready. Download it here:

            {link|Open the download page}

            It holds {entries|1 entry|# entries}.

            The link is valid until {until}. Anyone who has it can download the export, so do not forward this mail.

            If you did not ask for an export, sign in and delete it there: its link stops working at once.

            {unsubscribe|Stop these scheduled mails}
            """
        case .signInCode:
            """
            Subject: Your code to sign in to {app}

            Enter this code in {app} to sign in:

            {code}

            It is valid for {minutes|1 minute|# minutes} and works once, in the app that asked for it.

            If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.
            """
        case .resetCode:
            """
            Subject: Your code for a new {app} password

            Enter this code in {app} to choose a new password:

            {code}

            It is valid for {minutes|1 minute|# minutes} and works once, in the app that asked for it.

            If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.
            """
        case .addressCode:
            """
            Subject: Your code for {app}

            Enter this code in {app} to make this your address there:

            {code}

            It is valid for {minutes|1 minute|# minutes} and works once, in the app that asked for it.

            If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.
            """
        case .reauthenticationCode:
            """
            Subject: Your code to confirm a change in {app}

            Enter this code in {app} to confirm that it is you:

            {code}

            It is valid for {minutes|1 minute|# minutes} and works once, in the app that asked for it.

            If you did not ask for it, ignore this mail. No one from {app} will ever ask you for this code.
            """
        case .sessionReused:
            """
            Subject: You were signed out of {app} on one device

            A token of yours that had been used already was shown again, so we ended that session: it may have been copied from your device.

            Sign in again there. If you think that someone else has been in your account, choose a new password; it ends every other session.
            """
        case .passwordChanged:
            """
            Subject: Your {app} password was changed

            Your password was changed, and every session was ended.

            If it was not you, ask for a new password in {app} now: the code for it comes to this address.
            """
        case .addressChanged:
            """
            Subject: Your {app} address was changed

            Your account now has another address. This one does not sign in any more.

            If it was not you, someone else has been in your account: write to the operator of {app} today.
            """
        case .identityLinked:
            """
            Subject: A way to sign in was added to {app}

            Your account can now be opened by Apple or Google, too.

            If it was not you, take it away in {app}, under the ways to sign in, and choose a new password.
            """
        case .identityUnlinked:
            """
            Subject: A way to sign in was taken away from {app}

            One of the ways to sign in to your account does not work any more.

            If it was not you, someone else has been in your account: write to the operator of {app} today.
            """
        }
    }
}
