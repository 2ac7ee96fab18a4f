package import DiaryCore
import RedisClient

extension RedisRateLimiter: RateForgetting {
    /// Looks through all keys, page by page: which policies somebody was counted by is not written down anywhere.
    package func forget(_ subject: String) async -> Bool {
        var cursor = "0"
        // A scan ends when the server says so; this is far beyond any server's keys.
        for _ in 0..<1_000_000 {
            guard
                let page = try? await client.send([
                    "SCAN", RedisArgument(cursor), "MATCH", RedisArgument("rl:{\(subject)}:*"), "COUNT", 1000,
                ]).array, page.count == 2, let next = page[0].text
            else { return false }
            let keys = (page[1].array ?? []).compactMap { $0.bytes.map { RedisArgument($0) } }
            if !keys.isEmpty, (try? await client.send(["UNLINK"] + keys)) == nil { return false }
            if next == "0" { return true }
            cursor = next
        }
        return false
    }
}
