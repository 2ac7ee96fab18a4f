/// What a service does otherwise than AWS, where the tests of buckets see it. Decision 0042 has the list in words.
package enum S3Difference: Sendable {
    /// Refuses every conditional PUT with 501.
    case refusesConditions
    /// Checks signatures in URLs alone: serves a request without one, and one that is signed by a header too, whatever that says.
    case servesUnsigned
    /// Verifies the first of two parameters with one name, as if there were no other.
    case ignoresRepeatedParameters
    /// Answers 500 to an empty `X-Amz-Expires`, and stores nothing.
    case failsOnEmptyExpiry
    /// Stores what has arrived of a body whose connection ends before its announced length.
    case storesCutBodies
}

extension PrivateS3.Kind {
    package func differs(_ difference: S3Difference) -> Bool {
        switch self {
        case .radosgw: false
        case .swift: difference == .refusesConditions
        case .localstack: difference != .refusesConditions
        }
    }
}
