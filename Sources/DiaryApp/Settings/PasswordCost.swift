#if DIARY_FAILPOINTS
    /// What a password's hash costs. Release builds have no such setting: it is always OWASP's figures there.
    enum PasswordCost: String, CaseIterable, Sendable {
        case full
        /// Tests sign up hundreds of people, and a full hash takes more processor time than the rest of a sign-up.
        case least
    }

    extension PasswordCost {
        static let setting = Setting.choice("DIARY_PASSWORD_COST", default: PasswordCost.full, "what a password's hash costs")
    }
#endif
