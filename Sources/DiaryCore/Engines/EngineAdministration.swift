package import FoundationEssentials

/// What `diary tenant engine` and `diary tenant secret` do, by the database role `diary_admin`. Every change is recorded with its operator.
package protocol EngineAdministration: Sendable {
    /// Both chains, each in its order; nil when there is no such app.
    func engines(of slug: String) async throws(DiaryError) -> [EngineSettings]?
    /// Adds the engine, or replaces the one of its name.
    /// - Parameter position: from 1; nil leaves it where it is, and puts a new one at the end.
    /// - Returns: the chain of its stage; nil when there is no such app.
    func set(
        _ engine: EngineSettings, at position: Int?, of slug: String, by operator: String
    ) async throws(DiaryError) -> [EngineSettings]?
    /// - Returns: the chain as it is now; nil when there is no such app.
    func unset(_ name: String, _ stage: EngineStage, of slug: String, by operator: String) async throws(DiaryError) -> [EngineSettings]?
    /// - Parameter names: every engine of the stage once; nothing changes otherwise.
    /// - Returns: the chain as it is now; nil when there is no such app.
    func order(_ names: [String], _ stage: EngineStage, of slug: String, by operator: String) async throws(DiaryError) -> [EngineSettings]?

    /// Names and times; nil when there is no such app.
    func secrets(of slug: String) async throws(DiaryError) -> [AppSecretEntry]?
    /// Adds the secret, or replaces the one of its name.
    func set(_ secret: StoredAppSecret, by operator: String) async throws(DiaryError)
    /// - Returns: false when there is none of this name.
    func unset(secret name: String, of slug: String, by operator: String) async throws(DiaryError) -> Bool
}

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
