package struct IdentityFinding: Sendable, Equatable {
    package var known: KnownIdentity?
    package var holder: AddressHolder?
    package var challengeLives: Bool

    package init(known: KnownIdentity?, holder: AddressHolder?, challengeLives: Bool) {
        self.known = known
        self.holder = holder
        self.challengeLives = challengeLives
    }
}
