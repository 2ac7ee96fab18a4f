/// A code as a client sends it back.
package struct PresentedCode: Sendable {
    package var purpose: CodePurpose
    package var hash: [UInt8]
    package var requestHash: [UInt8]
    package var maxTries: Int
}
