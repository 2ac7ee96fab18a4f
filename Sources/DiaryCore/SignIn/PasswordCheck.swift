/// The fault of a new password, given words of the account (address, name); nil when it is acceptable.
package typealias PasswordCheck = @Sendable (_ password: String, _ ownWords: [String]) -> String?
