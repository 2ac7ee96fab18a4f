package struct MigrationStatus: Sendable, Equatable {
    package enum State: String, Sendable {
        case applied
        /// In the folder, not yet in the database.
        case pending
        /// Applied, but the file is another one now.
        case changed
        /// Applied, and there is no such file: the database is newer than this program.
        case missing
    }

    package let number: Int
    package let name: String
    package let state: State
}
