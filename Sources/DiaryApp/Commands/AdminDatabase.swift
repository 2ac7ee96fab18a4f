import DiaryDatabase
import Logging
import PostgresClient

/// The main database, by its role `diary_admin`.
enum AdminDatabase {
    static let logger = Logger(label: "diary-admin")

    static func pool() throws -> ConnectionPool {
        let database = try DatabaseSettings(Environment.process)
        return try ConnectionPool(.init(connection: database.main(as: .admin), size: 1), logger: logger)
    }
}
