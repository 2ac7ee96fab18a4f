/// Why a cryptographic operation failed. Carries no value: neither a key nor a byte of plaintext.
package enum CryptoError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A key of another length, type or curve, a point off its curve, a weak modulus or exponent.
    case invalidKey
    /// A nonce, object or message whose length the operation does not take.
    case invalidLength
    /// Sealed bytes too short or otherwise not in the format.
    case malformed
    /// The version byte is not one this build knows.
    case unsupportedVersion
    /// Sealed with another data key, or another object than the one asked for.
    case wrongKey
    /// The ring has no master key of that id.
    case unknownMaster
    /// The tag does not match: the bytes were altered, belong to another context, or another key sealed them.
    case refused
    /// More or fewer bytes came than the object was announced with.
    case lengthMismatch
    /// The sealer has already finished or failed.
    case finished
    /// libcrypto failed: out of memory, or its provider is missing.
    case libraryFailure

    package var description: String {
        switch self {
        case .invalidKey: "the key is not acceptable"
        case .invalidLength: "the length is not acceptable"
        case .malformed: "the sealed bytes are malformed"
        case .unsupportedVersion: "the format version is not supported"
        case .wrongKey: "sealed with another key or as another object"
        case .unknownMaster: "the master key is not in the ring"
        case .refused: "the authentication tag does not fit"
        case .lengthMismatch: "the length differs from the announced one"
        case .finished: "the sealer has ended"
        case .libraryFailure: "libcrypto failed"
        }
    }
}
