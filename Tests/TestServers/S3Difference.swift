/// What a service does otherwise than AWS, where the tests of buckets see it. Decision 0027 has the list in words.
package enum S3Difference: Sendable {
    /// Refuses every conditional PUT with 501.
    case refusesConditions
    /// Checks signatures in URLs alone, and serves a request without one.
    case servesUnsigned
    /// Verifies the signature in a URL and disregards an `Authorization` beside it.
    case ignoresSecondSignature
    /// Takes a part after the join of its set, and stores it over the one that the object is made of. When its bytes differ, the object
    /// cannot be read there: the service compares each part with the join's hash.
    case takesPartsAfterJoin
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
        case .swift: [.refusesConditions, .ignoresSecondSignature, .takesPartsAfterJoin].contains(difference)
        case .localstack: ![.refusesConditions, .takesPartsAfterJoin].contains(difference)
        }
    }
}
