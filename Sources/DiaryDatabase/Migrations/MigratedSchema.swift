/// One of the service's two databases.
package enum MigratedSchema: String, Sendable, CaseIterable {
    case main
    case keys

    /// The folder of its migrations, in `migrations/`.
    package var folder: String { rawValue }
}
