import DiaryCore
import Synchronization

/// The joins of this process, so that calls for one set at once cost one join.
final class RunningJoins: Sendable {
    private struct Set: Hashable {
        let key: ObjectKey
        let upload: String
    }

    private struct Join {
        let task: Task<Result<Void, ObjectStoreError>, Never>
        var callers: Int
    }

    private let joins = Mutex<[Set: Join]>([:])

    func run(
        _ upload: PartUpload, _ work: @escaping @Sendable () async throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) {
        let set = Set(key: upload.key, upload: upload.id)
        let task = joins.withLock { joins in
            if var join = joins[set] {
                join.callers += 1
                joins[set] = join
                return join.task
            }
            // Unstructured: the other callers want its result also when the first one is cancelled.
            let task = Task {
                let result: Result<Void, ObjectStoreError>
                do throws(ObjectStoreError) { result = .success(try await work()) } catch { result = .failure(error) }
                _ = self.joins.withLock { $0.removeValue(forKey: set) }
                return result
            }
            joins[set] = Join(task: task, callers: 1)
            return task
        }
        try await task.value.get()
    }

    /// Calls that wait for the join of a set.
    func callers(of upload: PartUpload) -> Int {
        joins.withLock { $0[Set(key: upload.key, upload: upload.id)]?.callers ?? 0 }
    }
}
