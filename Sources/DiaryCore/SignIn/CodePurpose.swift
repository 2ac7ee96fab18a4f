/// The purpose of a mailed code. Stable strings.
package enum CodePurpose: String, Sendable, CaseIterable { case verify, login, reset, address, reauthenticate }
