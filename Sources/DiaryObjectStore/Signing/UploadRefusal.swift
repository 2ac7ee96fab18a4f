import DiaryCore

/// Why an upload was refused. `expired` is used only for a URL with a valid signature, so that the client may request a new one.
package enum UploadRefusal: Error, Sendable, Equatable, CaseIterable {
    /// Not a PUT.
    case method
    /// Not a staging key under the public path.
    case path
    /// A query parameter is missing, repeated, unknown or ill-formed.
    case parameters
    /// Another access key, region or service.
    case scope
    /// A signed header is missing, repeated or ill-formed, or there is one that must not be.
    case headers
    /// No `Content-Length`: the body comes in chunks.
    case length
    case signatureInvalid
    case notYetValid
    case expired

    /// A client learns whether a new URL helps, not which check a forgery failed.
    var error: DiaryError {
        switch self {
        case .expired: DiaryError(.uploadURLExpired)
        case .method: DiaryError(.uploadRefused, cause: "method")
        case .path: DiaryError(.uploadRefused, cause: "path")
        case .parameters: DiaryError(.uploadRefused, cause: "parameters")
        case .scope: DiaryError(.uploadRefused, cause: "scope")
        case .length:
            DiaryError(
                .uploadRefused,
                detail: "Content-Length is missing: send the recording with its length, not in chunks (Transfer-Encoding).", cause: "length"
            )
        case .headers: DiaryError(.uploadRefused, cause: "headers")
        case .signatureInvalid: DiaryError(.uploadRefused, cause: "signature")
        case .notYetValid: DiaryError(.uploadRefused, cause: "not yet valid")
        }
    }
}
