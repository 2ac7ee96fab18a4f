/// Limits of the fields of sign-in.
enum SignInFields {
    static let passwordLength = 1024
    static let deviceLength = 100
}
