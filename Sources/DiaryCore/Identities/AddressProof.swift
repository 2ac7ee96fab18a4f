/// How an account's address relates to the one that a provider names.
struct AddressProof: Sendable, Equatable {
    /// The provider proves the account's address.
    let proves: Bool
    /// The account's address becomes the provider's: no other identity proves the current one, or there is none.
    let replaces: Bool

    init(_ claims: ProviderClaims, accountAddress: String?, isProvedOtherwise: Bool) {
        guard claims.ownsAddress, let address = claims.address else {
            (proves, replaces) = (false, false)
            return
        }
        let isSame = accountAddress.flatMap { MailAddress($0) }?.normalised == address.normalised
        replaces = !isSame && !isProvedOtherwise
        proves = isSame || replaces
    }
}
