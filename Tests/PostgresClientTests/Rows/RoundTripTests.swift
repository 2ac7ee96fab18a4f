import FoundationEssentials
import TestDatabases
import Testing
import WireFormats

@testable import PostgresClient

@Suite("Parameters and columns", .timeLimit(.minutes(2)))
struct RoundTripTests {
    @Test("every type reads back as written")
    func values() async throws {
        let pool = try await TestDatabase.make().pool()
        let id = UUID()
        let ids = [UUID(), UUID()]
        let now = try #require(PostgresTime.microseconds(of: Date()).flatMap { PostgresTime.date(microseconds: $0) })
        let old = Date(timeIntervalSince1970: -3_000_000_000.25)
        let local = LocalTimestamp(year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 58, microsecond: 999_999)
        let unicode = "Grüße 日記 👩‍👩‍👧 \u{FFFD} '; drop table \\ \u{1}"

        let row = try await pool.query(
            "select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16",
            .uuid(id), .text(unicode), .int(Int64.min), .int4(-7), .bool(true), .bytes([0, 255, 1]), .timestamp(now), .timestamp(old),
            .date("1999-12-31"), .localTimestamp(local), .double(-0.1), .json(#"{"a": [1, "ü"]}"#), .uuids(ids), .texts(["", unicode]),
            .ints([1, -1]), .double(.nan))[0]

        #expect(try row.uuid(0) == id)
        #expect(try row.text(1) == unicode)
        #expect(try row.int(2) == Int64.min)
        #expect(try row.int(3) == -7)
        #expect(try row.bool(4))
        #expect(try row.bytes(5) == [0, 255, 1])
        #expect(try row.date(6) == now)
        #expect(try row.date(7) == old)
        #expect(try row.day(8) == "1999-12-31")
        #expect(try row.localTimestamp(9) == local)
        #expect(try row.double(10) == -0.1)
        #expect(try row.text(11) == #"{"a": [1, "ü"]}"#)
        #expect(try row.uuids(12) == ids)
        #expect(try row.texts(13) == ["", unicode])
        #expect(try row.double(15).isNaN)
    }

    @Test("the server sees the same value as was sent")
    func meaning() async throws {
        let pool = try await TestDatabase.make().pool()
        let id = try #require(UUID(uuidString: "0190a1b2-0000-7000-8000-00000000abcd"))

        let row = try await pool.query(
            """
            select $1::uuid::text, to_char($2::timestamptz, 'YYYY-MM-DD"T"HH24:MI:SS.US'), $3::date::text, $4::timestamp::text,
                array_to_string($5::bigint[], ','), $6::jsonb->>'k', $7::bigint::text, $8::float8::text
            """,
            .uuid(id), .timestamp(Date(timeIntervalSince1970: 1_700_000_000.123456)), .date("2024-02-29"),
            .localTimestamp(LocalTimestamp(year: 1, month: 1, day: 1, hour: 5)), .ints([3, -4]), .json(#"{"k":"v"}"#), .int(-42),
            .double(2.5))[0]

        let texts = try (0..<8).map { column throws(DatabaseError) in try row.text(column) }
        #expect(
            texts == [
                "0190a1b2-0000-7000-8000-00000000abcd", "2023-11-14T22:13:20.123456", "2024-02-29", "0001-01-01 05:00:00", "3,-4", "v",
                "-42", "2.5",
            ])
    }

    @Test("empty is not NULL, and NULL works for every type")
    func nothing() async throws {
        let pool = try await TestDatabase.make().pool()

        let empty = try await pool.query("select $1, $2, $3, $4", .text(""), .bytes([]), .texts([]), .uuids([]))[0]
        let null = try await pool.query(
            "select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce($13, 5::bigint)",
            .uuid(nil), .text(nil), .null(.int), .int4(nil), .bool(nil), .bytes(nil), .timestamp(nil), .date(nil), .localTimestamp(nil),
            .double(nil), .texts(nil), .uuids(nil), .null)[0]

        #expect(try empty.text(0) == "")
        #expect(try empty.bytes(1) == [])
        #expect(try empty.texts(2) == [])
        #expect(try empty.uuids(3) == [])
        #expect(try null.uuidOrNil(0) == nil)
        #expect(try null.textOrNil(1) == nil)
        #expect(try null.intOrNil(2) == nil)
        #expect(try null.intOrNil(3) == nil)
        #expect(try null.isNull(4))
        #expect(try null.bytesOrNil(5) == nil)
        #expect(try null.dateOrNil(6) == nil)
        #expect(try null.isNull(7))
        #expect(try null.isNull(8))
        #expect(try null.doubleOrNil(9) == nil)
        #expect(try null.isNull(10))
        #expect(try null.isNull(11))
        #expect(try null.int(12) == 5)
        #expect(try null.isNull(0))
    }

    @Test("a wrong type, a NULL or a missing column is a decoding error")
    func decoding() async throws {
        let pool = try await TestDatabase.make().pool()

        let row = try await pool.query(
            "select 1::int, null::text, 'infinity'::timestamptz, 'infinity'::date, '-infinity'::timestamp, array['a', null], array[[1,2]]::text[], 1.5"
        )[0]

        #expect(throws: DatabaseError(.decoding, column: 0)) { try row.uuid(0) }
        #expect(throws: DatabaseError(.decoding, column: 0)) { try row.text(0) }
        #expect(throws: DatabaseError(.decoding, column: 1)) { try row.text(1) }
        #expect(throws: DatabaseError(.decoding, column: 2)) { try row.date(2) }
        #expect(throws: DatabaseError(.decoding, column: 3)) { try row.day(3) }
        #expect(throws: DatabaseError(.decoding, column: 4)) { try row.localTimestamp(4) }
        #expect(throws: DatabaseError(.decoding, column: 5)) { try row.texts(5) }
        #expect(throws: DatabaseError(.decoding, column: 6)) { try row.texts(6) }
        #expect(throws: DatabaseError(.decoding, column: 7)) { try row.int(7) }
        #expect(throws: DatabaseError(.decoding, column: 8)) { try row.int(8) }
        #expect(throws: DatabaseError(.decoding, column: -1)) { try row.int(-1) }
    }

    @Test("text of other types reads as text: enumerations, names, json")
    func textual() async throws {
        let database = try await TestDatabase.make()
        let pool = try database.pool()
        try await pool.query("create type mood as enum ('glad', 'sad')")

        let row = try await pool.query("select 'sad'::mood, 'n'::name, '{\"a\":1}'::json, 'v'::varchar, $1::mood::text", .text("glad"))[0]

        #expect(try (0..<5).map { column throws(DatabaseError) in try row.text(column) } == ["sad", "n", "{\"a\":1}", "v", "glad"])
    }

    @Test("a value without representation fails its call and leaves the connection in place")
    func encoding() async throws {
        let pool = try await TestDatabase.make().pool()
        let before = try await pool.query("select pg_backend_pid()")[0].int(0)

        for parameter: Parameter in [
            .date("2023-02-29"), .date("yesterday"), .timestamp(Date(timeIntervalSinceReferenceDate: .infinity)),
            .timestamp(Date(timeIntervalSinceReferenceDate: 1e300)), .localTimestamp(LocalTimestamp(year: 2024, month: 13, day: 1)),
        ] {
            let error = await failure { () throws(DatabaseError) in
                try await pool.run([Statement("select 1"), Statement("select $1", [parameter])])
            }
            #expect(error == DatabaseError(.encoding, statementIndex: 1))
        }
        let nul = await failure { () throws(DatabaseError) in try await pool.query("select $1", .text("a\0b")) }

        #expect(nul?.kind == .statement(sqlstate: "22021"))
        #expect(try await pool.query("select pg_backend_pid()")[0].int(0) == before)
    }

    @Test("calendar arithmetic agrees with the server's over ten thousand years")
    func calendar() async throws {
        let pool = try await TestDatabase.make().pool()

        let rows = try await pool.query(
            "select d::date, d::date::text, d::date - date '2000-01-01' from generate_series(timestamp '0001-01-01', '9999-12-31', '37 days 5 hours') d"
        )

        #expect(rows.count > 90_000)
        for row in rows {
            let text = try row.text(1)
            #expect(try row.day(0) == text)
            #expect(try GregorianDay(text)?.postgresDays == row.int(2))
        }
    }
}
