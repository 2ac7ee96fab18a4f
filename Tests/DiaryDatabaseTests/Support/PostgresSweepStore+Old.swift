import DiaryCore
import DiaryDatabase

extension PostgresSweepStore {
    /// A batch of each kind of old rows.
    /// - Returns: whether there may be more.
    func sweepOld(most: Int) async throws(WorkError) -> Bool {
        var isMore = false
        for rows in RowSweep.allCases {
            if try await end(rows, most: most) >= most { isMore = true }
        }
        return isMore
    }
}
