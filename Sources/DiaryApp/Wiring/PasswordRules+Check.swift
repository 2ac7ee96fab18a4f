import DiaryIdentity

extension PasswordRules {
    /// A sentence for the user; nil when the password is acceptable.
    func fault(_ password: String, context: [String]) -> String? {
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
