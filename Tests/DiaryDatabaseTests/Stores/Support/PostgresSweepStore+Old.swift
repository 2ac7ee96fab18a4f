import DiaryCore
import DiaryDatabase

extension PostgresSweepStore {
    /// Everything the sweeper does once an hour, one batch of it.
    func sweepOld(most: Int) async throws(WorkError) -> Bool {
        let hasMoreRows = try await sweepBookkeeping(most: most)
        let hasMoreTombstones = try await sweepTombstones(most: most)
        try await sweepAppleGrants()
        return hasMoreRows || hasMoreTombstones
    }
}
