/// External identity providers. The raw value is stored.
package enum IdentityProvider: String, Sendable, Hashable, CaseIterable {
    case apple
    case google
}
