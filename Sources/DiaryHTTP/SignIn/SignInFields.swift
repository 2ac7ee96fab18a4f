import DiaryCore

/// Limits of what sign-in takes.
enum SignInFields {
    static let passwordLength = 1024
    static let deviceLength = 100
}
