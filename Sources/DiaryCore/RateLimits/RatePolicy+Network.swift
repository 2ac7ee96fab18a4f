/// A client's own network and the one around it (IPv6: the /64 of a customer in the /48 of a site) are counted in one call. Their subject is
/// the outer network's name, a slash, and the inner one's; a policy counts for one of the two.
extension RatePolicy {
    /// A /48 holds 65,536 networks, which may be one attacker's or many customers' of a mobile network, so it gets more than one client and
    /// far less than all of them.
    package static let networkFactor = 16

    /// The same limit for the outer network: 16 times as wide.
    package var ofNetwork: RatePolicy {
        RatePolicy(name: "\(name)-48", shape: shape.widened(by: Self.networkFactor), isOfNetwork: true)
    }

    /// The part of the subject that this policy counts for.
    package func counted(_ subject: String) -> Substring {
        isOfNetwork ? subject.prefix { $0 != "/" } : subject[...]
    }
}
