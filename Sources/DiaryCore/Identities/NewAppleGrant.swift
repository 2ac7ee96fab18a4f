/// An Apple authorization code to be kept for the worker.
package struct NewAppleGrant: Sendable {
    package var clientID: String
    package var codeSealed: [UInt8]
}
