import DiaryCore
import DiaryCrypto
import PostgresClient

/// The stable strings of an enumeration as bytes, so that a column is compared in place, without a `String`.
struct StoredNames<Value: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
    private let known: [(bytes: [UInt8], value: Value)]

    init() { known = Value.allCases.map { (Array($0.rawValue.utf8), $0) } }

    func value(_ text: UnsafeRawBufferPointer) -> Value? {
        for (bytes, value) in known where bytes.count == text.count && bytes.elementsEqual(text) { return value }
        return nil
    }
}

/// An enumeration stored in a text column.
protocol StoredEnumeration: RawRepresentable<String>, CaseIterable, Sendable {
    static var storedNames: StoredNames<Self> { get }
}

extension EntryKind: StoredEnumeration { static let storedNames = StoredNames<EntryKind>() }
extension EntryStatus: StoredEnumeration { static let storedNames = StoredNames<EntryStatus>() }
extension ProcessingCode: StoredEnumeration { static let storedNames = StoredNames<ProcessingCode>() }
extension ExportStatus: StoredEnumeration { static let storedNames = StoredNames<ExportStatus>() }
extension ExportRevokedReason: StoredEnumeration { static let storedNames = StoredNames<ExportRevokedReason>() }
extension ExportMailStatus: StoredEnumeration { static let storedNames = StoredNames<ExportMailStatus>() }
extension ImportStatus: StoredEnumeration { static let storedNames = StoredNames<ImportStatus>() }
extension ImportSource: StoredEnumeration { static let storedNames = StoredNames<ImportSource>() }
extension ImportItem.Outcome: StoredEnumeration { static let storedNames = StoredNames<ImportItem.Outcome>() }
extension ImportItem.Code: StoredEnumeration { static let storedNames = StoredNames<ImportItem.Code>() }
extension AdministeredExport.Outcome: StoredEnumeration { static let storedNames = StoredNames<AdministeredExport.Outcome>() }
extension ExportLayer: StoredEnumeration { static let storedNames = StoredNames<ExportLayer>() }
extension NotedSweep.Finding: StoredEnumeration { static let storedNames = StoredNames<NotedSweep.Finding>() }
extension MailBounceReason: StoredEnumeration { static let storedNames = StoredNames<MailBounceReason>() }
extension EmailStatus: StoredEnumeration { static let storedNames = StoredNames<EmailStatus>() }
extension MailKind: StoredEnumeration { static let storedNames = StoredNames<MailKind>() }
extension TenantAct.Kind: StoredEnumeration { static let storedNames = StoredNames<TenantAct.Kind>() }
extension AuditEvent.Kind: StoredEnumeration { static let storedNames = StoredNames<AuditEvent.Kind>() }
extension AuditEvent.Actor: StoredEnumeration { static let storedNames = StoredNames<AuditEvent.Actor>() }

extension Row {
    @inline(__always)
    mutating func known<Value: StoredEnumeration>() throws(DatabaseError) -> Value {
        let column = take()
        guard let value = try read(column, { Value.storedNames.value($0) }) else { throw DatabaseError(.decoding, column: column) }
        return value
    }

    @inline(__always)
    mutating func knownOrNil<Value: StoredEnumeration>() throws(DatabaseError) -> Value? {
        try read(take()) { Value.storedNames.value($0) }
    }

    /// Sealed bytes inside the server's answer, so that a page is not copied before it is opened; NULL is nil.
    @inline(__always)
    mutating func sealedOrNil() throws(DatabaseError) -> SealedBytes? {
        guard let lent = try lentBytesOrNil(take()) else { return nil }
        return SealedBytes(lent: lent.bytes, by: lent.owner)
    }

    /// What is sealed, and its version in the column after; NULL is nil.
    @inline(__always)
    mutating func sealedColumnOrNil() throws(DatabaseError) -> SealedColumn? {
        guard let sealed = try sealedOrNil() else {
            skip(1)
            return nil
        }
        return SealedColumn(sealed, version: try int())
    }

    @inline(__always)
    mutating func calendarDay() throws(DatabaseError) -> CalendarDay {
        let column = take()
        guard let day = CalendarDay(try self.day(column)) else { throw DatabaseError(.decoding, column: column) }
        return day
    }

    /// A number that fits: counts, lengths.
    mutating func count() throws(DatabaseError) -> Int { Int(clamping: try int()) }
    mutating func countOrNil() throws(DatabaseError) -> Int? { try intOrNil().map { Int(clamping: $0) } }
}

extension Owner {
    /// From two columns, tenant and user.
    init(_ row: inout Row) throws(DatabaseError) {
        self.init(tenant: TenantID(try row.uuid()), user: UserID(try row.uuid()))
    }

    /// `$1` and `$2` of every statement.
    var parameters: [Parameter] { [.uuid(tenant.uuid), .uuid(user.uuid)] }
}
