/// A client's description of its device at sign-in.
package struct SignInDevice: Sendable {
    /// The user's name for it.
    package var name: String? = nil
    /// The device token of an earlier sign-in with the same address.
    package var token: String? = nil

    package init(name: String? = nil, token: String? = nil) {
        self.name = name
        self.token = token
    }
}
