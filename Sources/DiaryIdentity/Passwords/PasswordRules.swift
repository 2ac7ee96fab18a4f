package enum PasswordProblem: Error, Sendable, Equatable {
    case tooShort
    case tooLong
    /// A common password, or a decoration of one.
    case common
    /// Repeats a short piece, or runs along the alphabet, the digits or the keyboard.
    case predictable
    /// Little more than the account's own address or the product's name.
    case personal
}

/// What a new password must be (B12): long enough, bounded, not among the first that an attacker tries. No composition rules.
package struct PasswordRules: Sendable {
    /// Unicode code points (NIST SP 800-63B section 3.1.1.2).
    package static let minimumLength = 12
    /// UTF-8 bytes. A longer password is refused, never cut.
    package static let maximumBytes = 1024

    package init() {}

    /// - Parameter context: the address, name and product that the password must not be made of.
    package func check(_ password: String, context: [String] = []) throws(PasswordProblem) {
        guard password.utf8.count <= Self.maximumBytes else { throw .tooLong }
        guard password.unicodeScalars.count >= Self.minimumLength else { throw .tooShort }
        let folded = FoldedPassword(password)
        guard !folded.isPredictable else { throw .predictable }
        guard !folded.isMade(ofAny: Self.words(of: context)) else { throw .personal }
        guard !folded.isCommon else { throw .common }
    }

    /// The pieces of at least four letters: of `blue.lantern@example.org` these are blue, lantern, example.
    private static func words(of context: [String]) -> Set<String> {
        Set(context.flatMap { $0.lowercased().split { !$0.isLetter }.map(String.init) }.filter { $0.count >= 4 })
    }
}

extension PasswordRules {
    /// Why a password is refused, as the answer of the API says it; nil when it is acceptable.
    package func fault(_ password: String, context: [String]) -> String? {
        do {
            try check(password, context: context)
            return nil
        } catch {
            return switch error {
            case .tooShort: "must have at least \(Self.minimumLength) characters"
            case .tooLong: "must have at most \(Self.maximumBytes) bytes"
            case .common: "is among the first that are tried; choose another"
            case .predictable: "repeats itself or runs along the keyboard; choose another"
            case .personal: "is made of your own address or name; choose another"
            }
        }
    }
}
