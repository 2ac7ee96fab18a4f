import Glibc

/// One server to try, with libpq's keywords and values for it.
struct ConnectAttempt: Sendable {
    let endpoint: ServerEndpoint
    let values: [String: String]

    func withPointers<Result>(
        _ body: (_ keywords: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let pairs = Array(values)
        let keywords = pairs.map { strdup($0.key) }
        let values = pairs.map { strdup($0.value) }
        defer {
            keywords.forEach { free($0) }
            values.forEach { free($0) }
        }
        let keywordPointers = keywords.map { UnsafePointer($0) } + [nil]
        let valuePointers = values.map { UnsafePointer($0) } + [nil]
        return keywordPointers.withUnsafeBufferPointer { keywords in
            valuePointers.withUnsafeBufferPointer { values in body(keywords.baseAddress, values.baseAddress) }
        }
    }
}
