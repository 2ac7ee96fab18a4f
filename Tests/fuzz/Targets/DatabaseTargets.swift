import CLibpq
import FoundationEssentials
import Glibc
import WireFormats

@testable import DiaryCore
@testable import DiaryCrypto
@testable import DiaryDatabase
@testable import DiaryHTTP
@testable import PostgresClient

extension FuzzTarget {
    /// Rows in Postgres' binary form: any bytes in any column decode or throw, and an entry made of them can be answered.
    static let row = FuzzTarget(name: "row") { input in
        if input.flag() {
            let types = (0..<8).map { _ in oids[input.choice(oids.count)] }
            let row = row(types, types.map { _ in input.choice(8) == 0 ? nil : input.piece() })
            for column in -1...types.count { read(row, column) }
            return
        }
        var cells: [[UInt8]?] = []
        for column in 0..<EntryColumns.count { cells.append(cell(column, &input)) }
        var row = row(entryTypes, cells)
        guard let stored = try? StoredEntry(&row) else { return }
        let entry = Entry(
            facts: stored.facts, personal: PersonalPart(title: input.shortText()), machine: MachinePart(raw: input.shortText()),
            version: stored.version)
        for json in [
            JSONWriter.object { EntryPayload.write(entry, to: &$0) }, JSONWriter.object { EntryPayload.write(entry, .summary, to: &$0) },
            JSONWriter.object { TombstonePayload.write(entry, to: &$0) },
        ] {
            hold((try? JSONParser.parse(json)) != nil, "an answer that is not JSON")
        }
    }

    /// What is sent to Postgres reads back as it was.
    static let parameters = FuzzTarget(name: "parameters") { input in
        let date = Date(timeIntervalSinceReferenceDate: Double(input.int64()) / 1000)
        let (int, double, uuid) = (input.int64(), Double(bitPattern: input.number()), input.uuid())
        let uuids = (0..<input.choice(4)).map { _ in input.uuid() }
        let bytes = input.piece()
        let texts = (0..<input.choice(4)).map { _ in input.shortText() }
        let text = input.text()
        let sent: [Parameter] = [
            .int(int), .double(double), .uuid(uuid), .uuids(uuids), .bytes(bytes), .texts(texts), .text(text),
            .int4(Int32(truncatingIfNeeded: int)), .null, .json(text),
        ]
        var buffer = ParameterBuffer()
        guard (try? buffer.fill([Statement("", sent)])) != nil else { return hold(false, "parameters do not encode") }
        let types: [UInt32] = sent.map { $0.type == .inferred ? 25 : $0.type.rawValue }
        let row = row(
            types,
            (0..<sent.count).map { index in
                buffer.offsets[index].map { Array(buffer.bytes[$0..<$0 + Int(buffer.lengths[index])]) }
            })
        hold((try? row.int(0)) == int, "another number")
        hold((try? row.double(1))?.bitPattern == double.bitPattern, "another fraction")
        hold((try? row.uuid(2)) == uuid && (try? row.uuids(3)) == uuids, "another id")
        hold((try? row.bytes(4)) == bytes, "other bytes")
        hold((try? row.texts(5)) == texts && (try? row.text(6))?.isExactly(text) == true, "another text")
        hold((try? row.int(7)) == Int64(Int32(truncatingIfNeeded: int)) && (try? row.isNull(8)) == true, "another number or no NULL")
        hold((try? row.text(9))?.isExactly(text) == true, "another document")
        if let count = PostgresTime.microseconds(of: date), let back = PostgresTime.date(microseconds: count) {
            hold(abs(back.timeIntervalSince(date)) <= max(0.000_001, abs(date.timeIntervalSinceReferenceDate) * 1e-15), "another time")
        }
    }

    private static func read(_ row: Row, _ column: Int) {
        _ = try? row.uuidOrNil(column)
        _ = try? row.bool(column)
        _ = try? row.bytesOrNil(column)
        _ = try? row.doubleOrNil(column)
        _ = try? row.intOrNil(column)
        _ = try? row.texts(column)
        _ = try? row.uuids(column)
        if let text = try? row.textOrNil(column) { hold(text.utf8.count <= 255, "more text than there was") }
        if let date = try? row.dateOrNil(column) { hold(RFC3339.text(date).utf8.count == 24, "a time that cannot be written") }
        if let time = try? row.localTimestamp(column) {
            hold(
                (1...12).contains(time.month) && (1...31).contains(time.day) && (0..<24).contains(time.hour),
                "a time that no wall clock shows")
            if (1...9999).contains(time.year) {
                guard let count = time.postgresMicroseconds else { return hold(false, "a time that does not encode") }
                hold(LocalTimestamp(postgresMicroseconds: count) == time, "another wall-clock time")
            }
        }
        if let day = try? row.day(column), day.utf8.count == 10, !day.hasPrefix("0000"), !day.hasPrefix("-") {
            hold(GregorianDay(day)?.description == day, "a day that does not exist")
        }
    }

    /// A result as libpq would hold it, made by libpq.
    private static func row(_ types: [UInt32], _ values: [[UInt8]?]) -> Row {
        guard let result = PQmakeEmptyPGresult(nil, PGRES_TUPLES_OK), let name = strdup("c") else { fatalError("no memory") }
        defer { free(name) }
        var columns = types.map { PGresAttDesc(name: name, tableid: 0, columnid: 0, format: 1, typid: $0, typlen: -1, atttypmod: -1) }
        _ = PQsetResultAttrs(result, Int32(columns.count), &columns)
        for (column, value) in values.enumerated() {
            var bytes = (value ?? []).map { CChar(bitPattern: $0) }
            _ = PQsetvalue(result, 0, Int32(column), &bytes, value.map { Int32($0.count) } ?? -1)
        }
        return Row(storage: RowStorage(owning: result), index: 0)
    }

    private static let oids: [UInt32] = [16, 17, 20, 21, 23, 25, 26, 700, 701, 1009, 1015, 1043, 1082, 1114, 1184, 2950, 2951, 3802]

    /// In the order of `EntryColumns`.
    private static let entryTypes: [UInt32] = [
        2950, 25, 25, 20, 1184, 25, 1114, 1184, 1184, 1184, 701, 20, 25, 17, 25, 2950, 17, 20, 17, 20, 25, 23, 1184, 25, 1082, 16, 1184,
        16, 1184, 1184,
    ]

    /// Mostly what the column can hold, so that the whole entry decodes.
    private static func cell(_ column: Int, _ input: inout FuzzBytes) -> [UInt8]? {
        let how = input.choice(16)
        if how == 15 { return input.piece() }
        let optional = [9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 23, 26, 28, 29].contains(column)
        if how >= 8, optional { return nil }
        switch (column, entryTypes[column]) {
        case (1, _): return ["voice", "text"][input.choice(2)].bytes
        case (2, _): return ["awaiting_upload", "uploaded", "transcribing", "cleaning", "transcribed", "failed"][input.choice(6)].bytes
        case (20, _):
            let stages = JobCatalogue.diary.kinds.map(\.rawValue) + ["of_another_version"]
            return stages[input.choice(stages.count)].bytes
        case (23, _): return ["media_unreadable", "speech_timeout"][input.choice(2)].bytes
        case (_, 2950): return input.take(16)
        case (_, 20), (_, 701), (_, 1114), (_, 1184): return input.take(8)
        case (_, 23), (_, 1082): return input.take(4)
        case (_, 16): return [UInt8(input.choice(2))]
        default: return input.piece()
        }
    }
}
