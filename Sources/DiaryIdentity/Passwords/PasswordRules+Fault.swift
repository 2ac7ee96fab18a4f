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
