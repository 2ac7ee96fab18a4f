/// Why a sign-in failed.
package enum IDTokenFailure: Error, Sendable, Hashable {
    /// Forged, damaged, expired, for another audience or another sign-in; the client does not learn which.
    case refused
    /// The provider's keys were never fetched, or too long ago. Says nothing about the token.
    case keysUnavailable
    /// The provider may have this key since the last fetch; the next one is allowed after so many seconds.
    case keyNotFetched(seconds: Int)
}
