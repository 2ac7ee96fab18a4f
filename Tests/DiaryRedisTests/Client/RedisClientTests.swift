import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestServers
import TestSupport
import Testing

@testable import DiaryRedis

@Suite struct RedisClientTests {
    @Test("a thousand concurrent commands each get their own reply")
    func pipelining() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)

        let replies = try await withThrowingTaskGroup(of: (Int, RedisValue).self) { group in
            for number in 0..<1000 { group.addTask { (number, try await client.send("ECHO", RedisArgument(number))) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }

        #expect(replies == Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, RedisValue.bytes(Array("\($0)".utf8))) }))
        #expect(try await redis.cli("INFO", "clients").contains("connected_clients:2"))
    }

    /// Has a name: of bytes every report of the test would spell out all ten megabytes, which takes a minute.
    struct Value: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    @Test(
        "values may be empty, binary or ten megabytes",
        arguments: [
            Value(testDescription: "empty", bytes: []), Value(testDescription: "every byte", bytes: Array(0...255)),
            Value(testDescription: "a line end", bytes: [13, 10, 0, 36]),
            Value(testDescription: "ten megabytes", bytes: [UInt8](repeating: 7, count: 10 << 20)),
        ])
    func values(_ given: Value) async throws {
        let value = given.bytes
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)

        #expect(try await client.send(["SET", "k", RedisArgument(value)], deadline: .seconds(5)) == .status("OK"))
        #expect(try await client.send(["GET", "k"], deadline: .seconds(5)) == .bytes(value))
    }

    @Test("nested replies keep their shape, down to seven levels")
    func nesting() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)

        let reply = try await client.send(
            "EVAL", "return {1, {}, {'a', {false, {{{{2}}}}}}, redis.status_reply('S'), {err='WRONG secret'}}", 0)

        let deep = RedisValue.array([.array([.array([.array([.int(2)])])])])
        #expect(
            reply == .array([.int(1), .array([]), .array([.bytes([97]), .array([.null, deep])]), .status("S"), .error(code: "WRONG")]))
    }

    @Test("a reply nested deeper than hiredis reads ends the connection, and the next one works")
    func tooDeep() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)

        await #expect(throws: RedisError.protocolError) { try await client.send("EVAL", "return {{{{{{{{{{1}}}}}}}}}}", 0) }

        #expect(await eventually { await client.ping() })
    }

    @Test("a reply larger than the limit ends the connection")
    func tooLarge() async throws {
        let redis = try await PrivateRedis.start()
        var options = RedisOptions()
        options.maximumReply = 1 << 20
        let client = try RedisClient.to(redis, options: options)

        await #expect(throws: RedisError.protocolError) { try await client.send("EVAL", "return string.rep('x', 2000000)", 0) }
    }

    @Test("an error reply is thrown as its first word, without arguments")
    func serverError() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        _ = try await client.send("SET", "k", "canary")

        await #expect(throws: RedisError.server(code: "WRONGTYPE")) { try await client.send("LPUSH", "k", "canary") }
        await #expect(throws: RedisError.server(code: "ERR")) { try await client.send("canary") }
        await #expect(throws: RedisError.unavailable) { try await client.send([]) }
    }

    @Test("the database of the URL is selected, over TCP with user and password as well")
    func signIn() async throws {
        let port = try await freePort()
        let redis = try await PrivateRedis.start(["--port", "\(port)", "--bind", "127.0.0.1"])
        _ = try await redis.cli("ACL", "SETUSER", "diary", "on", ">pä:ss", "~*", "+@all")
        let client = RedisClient(endpoint: try RedisEndpoint(url: "redis://diary:p%C3%A4%3Ass@127.0.0.1:\(port)/3"), logger: .quiet)

        _ = try await client.send("SET", "k", "v")

        #expect(try await redis.cli("-n", "3", "GET", "k") == "v")
        #expect(try await client.send("ACL", "WHOAMI") == .bytes(Array("diary".utf8)))
    }

    @Test("a refused sign-in is reported without the password, in the error and in the log")
    func refusedSignIn() async throws {
        let port = try await freePort()
        let redis = try await PrivateRedis.start(["--port", "\(port)", "--bind", "127.0.0.1", "--requirepass", "right"])
        let lines = LogLines()
        let logger = Logger(label: "test") { _ in lines }
        let client = RedisClient(endpoint: try RedisEndpoint(url: "redis://:canary@127.0.0.1:\(port)"), logger: logger)

        let error = await #expect(throws: RedisError.self) { try await client.send("GET", "k") }

        #expect(error == .server(code: "WRONGPASS"))
        #expect(lines.all.contains("WRONGPASS") && !lines.all.contains("canary"))
        await #expect(throws: RedisError.unavailable) { try await client.send("GET", "k") }
        _ = redis
    }

    @Test("commands fail at once while the server is away, and work again when it is back")
    func restart() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        #expect(await client.ping())

        try await redis.stop()
        #expect(await eventually { (try? await client.send("PING")) == nil })
        var slowest = 0.0
        let cameBack = await eventually(within: .seconds(3)) {
            slowest = max(slowest, await seconds { _ = await client.ping() })
            return await client.ping()
        }
        try await redis.start()

        #expect(!cameBack && slowest < 0.2)
        #expect(await eventually(within: .seconds(8)) { await client.ping() })
    }

    @Test("a server that became a replica is logged once and refused at once, and used again when it takes writes")
    func demoted() async throws {
        let redis = try await PrivateRedis.start()
        let lines = LogLines()
        let client = RedisClient(endpoint: try RedisEndpoint(url: redis.url), logger: Logger(label: "test") { _ in lines })
        #expect(try await client.send("SET", "k", 1) == .status("OK"))
        // Of a primary that does not exist.
        _ = try await redis.cli("REPLICAOF", "127.0.0.1", "1")

        for _ in 0..<200 { await #expect(throws: RedisError.server(code: "READONLY")) { try await client.send("SET", "k", 2) } }
        #expect(lines.all.split(separator: "READONLY", omittingEmptySubsequences: false).count == 2, "\(lines.all)")

        _ = try await redis.cli("REPLICAOF", "NO", "ONE")
        #expect(await eventually(within: .seconds(10)) { (try? await client.send("SET", "k", 3)) != nil })
        #expect(lines.all.contains("redis connection is back"))
        #expect(try await redis.cli("GET", "k") == "3")
    }

    @Test("commands to a frozen server time out, then the connection is closed")
    func frozen() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        #expect(await client.ping())

        try await redis.freeze()
        let took = await seconds {
            await #expect(throws: RedisError.timeout) { try await client.send(["GET", "k"], deadline: .milliseconds(200)) }
        }
        #expect(took > 0.19 && took < 0.5)
        // Closed after 1.5 s of silence; the next attempt times out as well.
        #expect(await eventually { await error(of: client) == .unavailable })
        try await redis.thaw()

        #expect(await eventually(within: .seconds(8)) { await client.ping() })
    }

    @Test("a late reply is not used as another command's")
    func lateReply() async throws {
        let redis = try await PrivateRedis.start()
        let client = try RedisClient.to(redis)
        #expect(await client.ping())

        await #expect(throws: RedisError.timeout) { try await client.send(["BLPOP", "nothing", "0.4"], deadline: .milliseconds(100)) }

        #expect(try await client.send(["ECHO", "mine"], deadline: .seconds(2)) == .bytes(Array("mine".utf8)))
    }

    @Test("commands over the limit in flight are refused, and later ones are accepted again")
    func bounded() async throws {
        let redis = try await PrivateRedis.start()
        var options = RedisOptions()
        options.maximumInFlight = 50
        let client = try RedisClient.to(redis, options: options)
        #expect(await client.ping())
        // A slot is free shortly after its reply.
        #expect(await eventually { client.inFlight == 0 })
        try await redis.freeze()

        let results = await withTaskGroup(of: RedisError?.self) { group in
            for _ in 0..<80 { group.addTask { await error(of: client) } }
            return await group.reduce(into: [RedisError?]()) { $0.append($1) }
        }
        try await redis.thaw()

        #expect(results.count { $0 == .unavailable } == 30)
        #expect(results.count { $0 == .timeout } == 50)
        #expect(await eventually { await client.ping() })
        #expect(await eventually { client.inFlight == 0 })
    }

    @Test(
        "bytes that are no Redis reply close the connection",
        arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "*-7\r\n", "*2000000000\r\n", "$-9\r\n", ":12x\r\n"])
    func garbage(reply: String) async throws {
        let server = try await FakeServer.answering(reply)
        let client = RedisClient(endpoint: RedisEndpoint(address: .tcp(host: "127.0.0.1", port: server.port)), logger: .quiet)

        let first = await error(of: client)

        #expect(first == .unavailable || first == .closed || first == .protocolError)
        try await server.close()
    }

    @Test("a closed client refuses everything and does not trap")
    func closed() async throws {
        let client = RedisClient(endpoint: RedisEndpoint(address: .unixSocket(path: "/nowhere/s")), logger: .quiet)
        #expect(await error(of: client) == .unavailable)

        client.close()
        client.close()

        #expect(await error(of: client) == .closed)
        #expect(await client.ping() == false)
    }
}

private func error(of client: RedisClient) async -> RedisError? {
    do throws(RedisError) {
        _ = try await client.send("PING")
        return nil
    } catch {
        return error
    }
}

private func freePort() async throws -> Int {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: "127.0.0.1", port: 0).get()
    let port = channel.localAddress?.port ?? 0
    try await channel.close()
    return port
}

final class LogLines: LogHandler, Sendable {
    private let lines = Mutex("")
    var all: String { lines.withLock { $0 } }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { nil }
        set {}
    }
    func log(event: LogEvent) {
        lines.withLock { $0 += "\(event.message) \(event.metadata ?? [:])\n" }
    }
}
