/// Removes a caller's charges from the limiter's store.
package protocol RateForgetting: Sendable {
    /// - Returns: false when the store is unavailable; its content expires by itself.
    func forget(_ subject: String) async -> Bool
}
