package import DiaryCore

/// The use cases of an account that exists: its credentialStore in, its sessions, what its owner says of themselves.
package struct AccountLife: Sendable {
    let requestCode: RequestCode
    let signInByCode: SignInByCode
    let resetPassword: ResetPassword
    let changePassword: ChangePassword
    let changeAddress: ChangeAddress
    let reauthenticate: Reauthenticate
    let sessions: ListSessions
    let endSessions: EndSessions
    let editProfile: EditProfile
    let events: ReadEvents
    let profiles: any ProfileStore

    package init(
        requestCode: RequestCode, signInByCode: SignInByCode, resetPassword: ResetPassword, changePassword: ChangePassword,
        changeAddress: ChangeAddress, reauthenticate: Reauthenticate, sessions: ListSessions, endSessions: EndSessions,
        editProfile: EditProfile, events: ReadEvents, profiles: any ProfileStore
    ) {
        self.requestCode = requestCode
        self.signInByCode = signInByCode
        self.resetPassword = resetPassword
        self.changePassword = changePassword
        self.changeAddress = changeAddress
        self.reauthenticate = reauthenticate
        self.sessions = sessions
        self.endSessions = endSessions
        self.editProfile = editProfile
        self.events = events
        self.profiles = profiles
    }
}
