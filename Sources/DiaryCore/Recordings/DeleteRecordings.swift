import FoundationEssentials

/// Deletes the objects of recordings whose rows no longer want them, while a request waits. The request has been committed and cannot fail any
/// more, so it waits for the store for a bounded time; what is left then, or cannot be deleted, is found by the sweeper.
package struct DeleteRecordings: Sendable {
    let objects: any ObjectStore
    let parts: any UploadParts
    var wait: Duration = .seconds(2)

    /// Deletes also the parts of recordings that have not arrived.
    /// - Returns: those entries whose objects are known to be gone.
    func run(_ recordings: [StoredRecording], of owner: Owner) async -> [EntryID] {
        guard !recordings.isEmpty else { return [] }
        let keys = recordings.map { (entry: $0.entry.facts.id, keys: $0.objects.keys(of: owner)) }
        let unfinished = recordings.map(\.entry.facts).compactMap { facts -> ObjectKey? in
            guard facts.status == .awaitingUpload || facts.status == .failed else { return nil }
            return facts.object.map { ObjectKey(kind: .staging, owner: owner, object: $0) }
        }
        let (objects, parts) = (objects, parts)
        let left = await withinWait { () -> Set<ObjectKey>? in
            let left = try? await objects.delete(keys.flatMap(\.keys))
            // A store that did not answer is not asked again.
            guard let left else { return nil }
            for key in unfinished where !Task.isCancelled { try? await parts.discard(key, id: nil) }
            return Set(left)
        }
        guard let left else { return [] }
        return keys.filter { left.isDisjoint(with: $0.keys) }.map(\.entry)
    }

    /// - Returns: nil when the time, or the caller, ended first. The work is cancelled then: a request to a bucket ends at once, a deletion on a disk
    ///   after the object at hand.
    private func withinWait<Value: Sendable>(_ work: @escaping @Sendable () async -> Value?) async -> Value? {
        let (first, answers) = AsyncStream<Value?>.makeStream()
        // No children, for which the caller would wait: a call on a disk that hangs cannot be ended.
        let deletion = Task { _ = answers.yield(await work()) }
        let timer = Task { [wait] in
            try? await Task.sleep(for: wait)
            answers.yield(nil)
        }
        defer {
            deletion.cancel()
            timer.cancel()
        }
        for await answer in first { return answer }
        return nil
    }
}
