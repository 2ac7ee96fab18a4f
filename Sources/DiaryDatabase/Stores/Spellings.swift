import DiaryCore

/// The stable strings of an enumeration as bytes, so that a column is compared where it lies and not made a `String` first.
struct Spellings<Value: RawRepresentable<String> & CaseIterable & Sendable>: Sendable {
    private let known: [(bytes: [UInt8], value: Value)] = Value.allCases.map { (Array($0.rawValue.utf8), $0) }

    func value(_ text: UnsafeRawBufferPointer) -> Value? {
        for (bytes, value) in known where bytes.count == text.count && bytes.elementsEqual(text) { return value }
        return nil
    }
}

/// An enumeration that lies in a text column.
protocol StoredEnumeration: RawRepresentable<String>, CaseIterable, Sendable {
    static var spellings: Spellings<Self> { get }
}

extension EntryKind: StoredEnumeration { static let spellings = Spellings<EntryKind>() }
extension EntryStatus: StoredEnumeration { static let spellings = Spellings<EntryStatus>() }
extension JobKind: StoredEnumeration { static let spellings = Spellings<JobKind>() }
extension ProcessingCode: StoredEnumeration { static let spellings = Spellings<ProcessingCode>() }
extension ExportStatus: StoredEnumeration { static let spellings = Spellings<ExportStatus>() }
extension ExportMailStatus: StoredEnumeration { static let spellings = Spellings<ExportMailStatus>() }
extension MailKind: StoredEnumeration { static let spellings = Spellings<MailKind>() }
extension TenantAct.Kind: StoredEnumeration { static let spellings = Spellings<TenantAct.Kind>() }
extension AuditEvent.Kind: StoredEnumeration { static let spellings = Spellings<AuditEvent.Kind>() }
extension AuditEvent.Actor: StoredEnumeration { static let spellings = Spellings<AuditEvent.Actor>() }

extension Row {
    func known<Value: StoredEnumeration>(_ column: Int) throws(DatabaseError) -> Value {
        guard let value: Value = try knownOrNil(column) else { throw DatabaseError(.decoding, column: column) }
        return value
    }

    func knownOrNil<Value: StoredEnumeration>(_ column: Int) throws(DatabaseError) -> Value? {
        try read(column) { Value.spellings.value($0) }
    }
}
