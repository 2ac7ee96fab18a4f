/// What a document must keep to beyond RFC 8259. Sizes in bytes are the caller's to limit.
package struct JSONRules: Sendable {
    /// Objects and arrays inside one another, the outermost included. The parser recurses this deep.
    package var maximumDepth: Int = 32
    /// Per object.
    package var maximumMembers: Int = .max
    /// False refuses any escape in a member's name: `"\u0061lg"` only serves to hide a name from another reader.
    package var allowsEscapedNames: Bool = true
    /// False refuses two names of one object that are canonically equivalent text, U+00E9 and U+0065 U+0301 for instance.
    /// Names with equal bytes are refused in any case.
    package var allowsEquivalentNames: Bool = false

    package init(maximumDepth: Int = 32, maximumMembers: Int = .max, allowsEscapedNames: Bool = true, allowsEquivalentNames: Bool = false) {
        self.maximumDepth = maximumDepth
        self.maximumMembers = maximumMembers
        self.allowsEscapedNames = allowsEscapedNames
        self.allowsEquivalentNames = allowsEquivalentNames
    }

    /// Token headers, claims sets, key sets. They nest three levels and their names need no escape; names are compared byte for byte
    /// (RFC 7515 section 5.3).
    package static let jose = JSONRules(maximumDepth: 6, maximumMembers: 64, allowsEscapedNames: false, allowsEquivalentNames: true)
}

/// Why a document is not JSON: constant words and an offset, never a piece of the document.
package struct JSONParsingError: Error, Sendable, Equatable {
    package var reason: String
    /// Bytes from the document's start.
    package var offset: Int
}
