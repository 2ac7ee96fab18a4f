import FoundationEssentials
import WireFormats

/// How a command prints rows of one kind, each field declared once: as members of JSON for programs, as columns of a table for people, and
/// as the shape that `--help` shows.
struct ReportForm<Row: Sendable>: Sendable {
    private let fields: [ReportField<Row>]
    /// In the order of JSON: by name.
    private let members: [ReportField<Row>]

    init(_ fields: ReportField<Row>...) {
        self.fields = fields
        members = fields.filter { $0.name != nil }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    /// `{id, jobs: [{kind, state}]}`, in the order of the declaration.
    var shape: String { "{\(fields.compactMap(\.shape).joined(separator: ", "))}" }

    func table(_ rows: [Row]) -> TextTable {
        let columns = fields.filter { $0.heading != nil }
        return TextTable(headings: columns.compactMap(\.heading), rows: rows.map { row in columns.map { $0.cell(row) } })
    }

    /// Prints a line of JSON, an array, or the table.
    func show(_ rows: [Row], json: Bool) {
        guard json else { return table(rows).show() }
        var writer = JSONWriter()
        writer.array(rows) { object(copy $1, to: &$0) }
        print(String(decoding: writer.document, as: UTF8.self))
    }

    /// Prints a line of JSON, an object, or the text.
    func show(_ row: Row, json: Bool, or text: @autoclosure () -> String) { print(json ? self.json(row) : text()) }

    func show(json row: Row) { print(json(row)) }

    /// In one line.
    func json(_ row: Row) -> String {
        var writer = JSONWriter()
        object(row, to: &writer)
        return String(decoding: writer.document, as: UTF8.self)
    }

    func object(_ row: Row, to writer: inout JSONWriter) {
        writer.object { inner in for member in members { member.write(row, &inner) } }
    }

    func write(_ row: Row, as name: JSONName, to writer: inout JSONWriter) {
        writer.member(name) { inner in for member in members { member.write(row, &inner) } }
    }
}

/// One field of a `ReportForm`.
struct ReportField<Row: Sendable>: Sendable {
    /// The member's; nil for a column alone.
    var name: String?
    /// In `--help`: the name, and what is inside.
    var shape: String?
    /// The column's; nil for a member alone.
    var heading: String?
    var write: @Sendable (Row, inout JSONWriter) -> Void = { _, _ in }
    var cell: @Sendable (Row) -> String = { _ in "" }

    /// A member and a column.
    /// - Parameters:
    ///   - column: the heading (default: the name's words).
    ///   - none: the cell in place of nil.
    ///   - orNull: whether JSON has `null` for nil; else it has no such member then.
    static func field<Value: ReportValue>(
        _ name: String, column: String? = nil, none: String = "", orNull: Bool = false, _ value: @escaping @Sendable (Row) -> Value?
    ) -> Self {
        var field = member(name, orNull: orNull, value)
        field.heading = column ?? String(name.map { $0 == "_" ? " " : $0 })
        field.cell = { value($0)?.cell ?? none }
        return field
    }

    static func member<Value: ReportValue>(
        _ name: String, orNull: Bool = false, _ value: @escaping @Sendable (Row) -> Value?
    ) -> Self {
        Self(
            name: name, shape: name,
            write: { row, writer in
                if let value = value(row) {
                    value.write(as: JSONName(name), to: &writer)
                } else if orNull {
                    writer.member(JSONName(name), String?.none)
                }
            })
    }

    static func column(_ heading: String, _ cell: @escaping @Sendable (Row) -> String) -> Self { Self(heading: heading, cell: cell) }

    /// A member that is an object of another form.
    static func object<Inner: Sendable>(_ name: String, _ form: ReportForm<Inner>, _ inner: @escaping @Sendable (Row) -> Inner) -> Self {
        Self(name: name, shape: "\(name): \(form.shape)", write: { form.write(inner($0), as: JSONName(name), to: &$1) })
    }

    /// A member that is an array of objects of another form; no member for nil.
    static func list<Inner: Sendable>(_ name: String, _ form: ReportForm<Inner>, _ rows: @escaping @Sendable (Row) -> [Inner]?) -> Self {
        Self(
            name: name, shape: "\(name): [\(form.shape)]",
            write: { row, writer in
                if let rows = rows(row) { writer.array(JSONName(name), rows) { form.object(copy $1, to: &$0) } }
            })
    }
}

/// A value that reports print.
protocol ReportValue: Sendable {
    /// In a table.
    var cell: String { get }

    func write(as name: JSONName, to writer: inout JSONWriter)
}

extension ReportValue where Self: JSONWritable {
    func write(as name: JSONName, to writer: inout JSONWriter) { writer.member(name, self) }
}

extension ReportValue where Self: CustomStringConvertible {
    var cell: String { description }
}

extension String: ReportValue {}
extension Int: ReportValue {}
extension Int64: ReportValue {}
extension Double: ReportValue {}

extension Bool: ReportValue {
    var cell: String { self ? "yes" : "no" }
}

extension Date: ReportValue {
    /// RFC 3339 in UTC, in whole seconds.
    var text: String { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)).formatted(.iso8601) }

    var cell: String { text }

    func write(as name: JSONName, to writer: inout JSONWriter) { writer.member(name, text) }
}

extension Array: ReportValue where Element == String {
    var cell: String { joined(separator: " ") }

    func write(as name: JSONName, to writer: inout JSONWriter) { writer.member(name, self) }
}

extension Dictionary: ReportValue where Key == String, Value: ReportValue {
    var cell: String { keys.sorted().joined(separator: " ") }

    func write(as name: JSONName, to writer: inout JSONWriter) {
        writer.member(name) { inner in
            for (key, value) in sorted(by: { $0.key < $1.key }) { value.write(as: JSONName(key), to: &inner) }
        }
    }
}
