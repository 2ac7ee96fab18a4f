import JSONLogging
import Logging
import Synchronization
import Testing
import WireFormats

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
}
