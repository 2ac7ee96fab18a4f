/// The access an operation requires.
package enum Access: String, Sendable { case anonymous, member }
