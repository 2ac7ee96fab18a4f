import Logging
import Synchronization
import Testing
import WireFormats

@testable import DiaryApp

@Suite("Log lines as JSON") struct JSONLogHandlerTests {
    @Test("a log line stays one line of JSON whatever the metadata holds")
    func handler() throws {
        let lines = Mutex<[[UInt8]]>([])
        var logger = Logger(label: "x") { label in JSONLogHandler(label: label) { line in lines.withLock { $0.append(line) } } }
        logger[metadataKey: "id"] = "1"
        logger.info("went", metadata: ["text": "a\"\n\u{2028}b", "list": ["x", "y"], "map": ["k": "v"], "level": "fake"])

        let line = try #require(lines.withLock { $0.first })
        #expect(line.filter { $0 == 0x0A }.count == 1)
        guard case .object(let members) = try JSONParser.parse(line) else {
            Issue.record("not an object")
            return
        }
        #expect(members["text"] == .string("a\"\n\u{2028}b"))
        #expect(members["level"] == .string("info"))
        #expect(members["map"] == .object(["k": .string("v")]))
    }

    @Test("a number or a truth value in the metadata is one in the line, also inside lists and maps; text that looks like one stays text")
    func types() throws {
        let lines = Mutex<[[UInt8]]>([])
        let logger = Logger(label: "x") { label in JSONLogHandler(label: label) { line in lines.withLock { $0.append(line) } } }

        logger.info(
            "went",
            metadata: [
                "status": .stringConvertible(503), "bytes": .stringConvertible(Int64(1) << 40), "small": .stringConvertible(UInt8(7)),
                "ms": .stringConvertible(1.25), "huge": .stringConvertible(UInt64.max), "endless": .stringConvertible(Double.infinity),
                "truth": .stringConvertible(true), "text": "503",
                "list": [.stringConvertible(1), "1", ["k": .stringConvertible(2)], ["3"]],
                "map": ["k": .stringConvertible(3)],
            ])

        let line = String(decoding: try #require(lines.withLock { $0.first }), as: UTF8.self)
        for member in [
            #""status":503,"#, #""bytes":1099511627776,"#, #""small":7,"#, #""ms":1.25,"#, #""huge":"18446744073709551615""#,
            #""endless":null"#, #""truth":true"#, #""text":"503""#, #""list":[1,"1",{"k":2},["3"]]"#, #""map":{"k":3}"#,
        ] { #expect(line.contains(member), "\(member)") }
        _ = try JSONParser.parse(Array(line.utf8))
    }
}
