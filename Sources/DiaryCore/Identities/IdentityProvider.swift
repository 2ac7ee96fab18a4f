/// Who may say who somebody is. The raw value is what is stored.
package enum IdentityProvider: String, Sendable, Hashable, CaseIterable {
    case apple
    case google
}
