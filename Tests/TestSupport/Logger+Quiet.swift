package import Logging

extension Logger {
    /// Writes nothing.
    package static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
