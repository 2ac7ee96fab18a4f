/// The fields of a sign-up, stored with its code: of several sign-ups with one address, those of the one whose code is used apply.
package struct SignUp: Sendable {
    package var passwordPHC: String
    package var nameSealed: [UInt8]?
    package var timeZone: String = "UTC"
    package var locale: String?
}
