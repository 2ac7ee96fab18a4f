package import DiaryCore

/// All objects of one owner, whether or not a row names them.
package protocol PersonalObjects: Sendable {
    func count(of owner: Owner) async throws(ObjectStoreError) -> Int
    /// Removes up to `most`, staging first, so that no object is promoted into a place that was already emptied.
    /// - Returns: how many were removed.
    func remove(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int
}
