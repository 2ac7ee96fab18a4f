import Synchronization

/// The files that are received at once in this process. Each has a part in memory: large ones while there are few, so that a long recording has
/// few parts, and the least that the store takes while there are many. That bounds the memory, to 64 MiB for the first eight and, where the API
/// is the upload server, one MiB for each further one.
final class UploadPlaces: Sendable {
    static let most = 64
    /// An account may have the eighth part of the places that others leave, so that a few accounts cannot hold all.
    private static let share = 8
    private static let mostLarge = 8

    private let partBytes: Int
    private let running = Mutex<[Owner: Int]>([:])

    init(partBytes: Int = 8 << 20) { self.partBytes = partBytes }

    /// - Returns: the bytes of a part.
    /// - Throws: `rateLimited` and `overloaded` when there are too many. Otherwise `leave` follows.
    func enter(_ owner: Owner, smallest: Int64) throws(DiaryError) -> Int {
        let least = Int(clamping: smallest)
        let large = max(partBytes, least)
        let (bytes, refusal) = running.withLock { running -> (Int, DiaryError?) in
            let all = running.values.reduce(0, +)
            let own = running[owner, default: 0]
            guard own < max(1, (Self.most - (all - own)) / Self.share) else {
                return (
                    0,
                    DiaryError(
                        .rateLimited, detail: "The account sends as many recordings at this moment as it may at once.", retryAfter: 5,
                        cause: "uploads of one account")
                )
            }
            guard all < Self.most else { return (0, DiaryError(.overloaded, retryAfter: 5, cause: "\(all) uploads")) }
            running[owner, default: 0] += 1
            return (all < Self.mostLarge ? large : least, nil)
        }
        if let refusal { throw refusal }
        return bytes
    }

    func leave(_ owner: Owner) {
        running.withLock { running in
            let left = running[owner, default: 0] - 1
            running[owner] = left > 0 ? left : nil
        }
    }
}
