package import FoundationEssentials

/// A secret as it is listed: never its value.
package struct AppSecretEntry: Sendable, Equatable {
    package var name: String
    package var masterID: String
    package var setAt: Date

    package init(name: String, masterID: String, setAt: Date) {
        self.name = name
        self.masterID = masterID
        self.setAt = setAt
    }
}
