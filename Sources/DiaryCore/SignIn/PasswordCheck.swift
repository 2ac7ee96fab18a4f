/// What is wrong with a new password, given the account's own words (address, name); nil when it is acceptable.
package typealias PasswordCheck = @Sendable (_ password: String, _ ownWords: [String]) -> String?
