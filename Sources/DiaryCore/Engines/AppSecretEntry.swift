package import FoundationEssentials

/// A secret as it is listed: never its value.
package struct AppSecretEntry: Sendable, Equatable {
    package var name: String
    package var masterID: String
    package var setAt: Date
}
