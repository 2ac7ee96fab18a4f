/// How long a response is fresh by its own fields (RFC 9111 section 5.2.2).
enum CacheLifetime {
    /// nil when the field says nothing; zero for `no-store` and `no-cache`.
    static func seconds(_ cacheControl: String?) -> Int64? {
        guard let cacheControl, cacheControl.utf8.count <= 1024 else { return nil }
        var seconds: Int64?
        for directive in cacheControl.lowercased().split(separator: ",") {
            let word = directive.drop { $0 == " " || $0 == "\t" }
            if word.hasPrefix("no-store") || word.hasPrefix("no-cache") { return 0 }
            guard word.hasPrefix("max-age=") else { continue }
            let digits = word.dropFirst("max-age=".count).prefix { $0 != " " && $0 != "\t" }
            // Section 4.2.1: of several values, the most restrictive.
            guard digits.allSatisfy({ ("0"..."9").contains($0) }), let value = Int64(digits) else { return 0 }
            seconds = min(seconds ?? value, value)
        }
        return seconds
    }
}
