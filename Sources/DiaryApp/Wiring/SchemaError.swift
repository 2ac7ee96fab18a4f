import DiaryDatabase

/// A database whose schema this program must not work on.
struct SchemaError: Error, Equatable, CustomStringConvertible {
    let schema: MigratedSchema
    let comparison: SchemaComparison

    var description: String { "\(schema.rawValue) database: \(comparison)" }
}
