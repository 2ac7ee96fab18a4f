import DiaryCore
import RedisClient

extension RedisRateLimiter: RateForgetting {
    /// Scans all keys page by page, because the policies that a subject was counted by are not stored.
    package func forget(_ subject: String) async -> Bool {
        var cursor = "0"
        // The server ends the scan; the bound is far beyond any server's number of pages.
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
