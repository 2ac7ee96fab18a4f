import DiaryRedis
import Testing

@Suite struct RedisEndpointTests {
    @Test("a URL names host, port, user, password and database")
    func full() throws {
        let endpoint = try RedisEndpoint(url: "redis://diary:p%40ss%2F@cache.example:7000/3")

        #expect(endpoint == RedisEndpoint(address: .tcp(host: "cache.example", port: 7000), user: "diary", password: "p@ss/", database: 3))
    }

    @Test("a short URL means port 6379 and database 0")
    func short() throws {
        #expect(try RedisEndpoint(url: "redis://cache") == RedisEndpoint(address: .tcp(host: "cache", port: 6379)))
        #expect(
            try RedisEndpoint(url: "redis://:secret@[::1]/") == RedisEndpoint(address: .tcp(host: "::1", port: 6379), password: "secret"))
    }

    @Test("a socket URL names path and database")
    func socket() throws {
        #expect(
            try RedisEndpoint(url: "redis+unix:///run/redis/s?db=2")
                == RedisEndpoint(address: .unixSocket(path: "/run/redis/s"), database: 2))
        #expect(try RedisEndpoint(url: "redis+unix://:pw@/run/s") == RedisEndpoint(address: .unixSocket(path: "/run/s"), password: "pw"))
    }

    @Test(
        "a malformed URL is refused with its fault",
        arguments: [
            ("http://h", RedisURLError.unknownScheme), ("rediss://h", .unknownScheme), ("redis://", .missingHost),
            ("redis://h:0", .badPort),
            ("redis://h:99999", .badPort), ("redis://h:", .badPort), ("redis://h/x", .badDatabase), ("redis://h/-1", .badDatabase),
            ("redis://h?db=1", .badDatabase), ("redis://u:%zz@h", .badEscape), ("redis://u:%4", .badPort), ("redis://u:%4@h", .badEscape),
            ("redis+unix://relative", .badPath), ("redis+unix:///" + String(repeating: "a", count: 107), .badPath),
            ("redis+unix:///s?x=1", .badDatabase), ("redis://[::1", .missingHost), ("", .unknownScheme),
        ])
    func malformed(url: String, error: RedisURLError) {
        #expect(throws: error) { try RedisEndpoint(url: url) }
    }

    @Test("no description holds the user or the password")
    func silent() throws {
        let endpoint = try RedisEndpoint(url: "redis://someuser:canary@h:1/0")
        var dumped = ""
        dump(endpoint, to: &dumped)

        for text in ["\(endpoint)", String(reflecting: endpoint), dumped, "\(RedisURLError.badPort)"] {
            #expect(!text.contains("canary") && !text.contains("someuser"))
        }
    }
}
