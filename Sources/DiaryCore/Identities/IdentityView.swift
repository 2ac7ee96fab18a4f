/// A sign-in method as its owner sees it.
package struct IdentityView: Sendable, Equatable {
    package var linked: LinkedIdentity
    package var address: String?
}
