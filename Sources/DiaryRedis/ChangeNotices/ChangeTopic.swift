/// What other processes keep in memory and should reload.
package enum ChangeTopic: String, Sendable, CaseIterable {
    case tenants
    case signingKeys = "signing_keys"
}
