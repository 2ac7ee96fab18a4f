package import DiaryCore

/// All objects of one person, whatever names them.
package protocol PersonalObjects: Sendable {
    func count(of owner: Owner) async throws(ObjectStoreError) -> Int
    /// Removes up to `most`: first staging, so that nothing is promoted behind what was removed already.
    /// - Returns: how many there were.
    func remove(of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int
}
