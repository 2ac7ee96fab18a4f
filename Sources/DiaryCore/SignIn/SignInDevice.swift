/// What a client says of its device at sign-in.
package struct SignInDevice: Sendable {
    /// What the person calls it.
    package var name: String?
    /// What an earlier sign-in with the same address gave it.
    package var token: String?

    package init(name: String? = nil, token: String? = nil) {
        self.name = name
        self.token = token
    }
}
