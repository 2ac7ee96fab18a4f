// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

extension JSONParsingError {
    package init(reason: String, offset: Int, _: Void = ()) {
        self.reason = reason
        self.offset = offset
    }
}

extension JSONRules {
    package init(
        maximumDepth: Int = 32, maximumMembers: Int = .max, allowsEscapedNames: Bool = true, allowsEquivalentNames: Bool = false,
        _: Void = ()
    ) {
        self.maximumDepth = maximumDepth
        self.maximumMembers = maximumMembers
        self.allowsEscapedNames = allowsEscapedNames
        self.allowsEquivalentNames = allowsEquivalentNames
    }
}
