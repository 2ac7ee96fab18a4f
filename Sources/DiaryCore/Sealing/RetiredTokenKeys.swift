/// Token keys that were retired, as the main database records it. A restore of the key database brings their private keys back; with this
/// record they stay retired.
package protocol RetiredTokenKeys: Sendable {
    /// - Returns: those of `kids` that were retired.
    func retired(among kids: [String]) async throws(DiaryError) -> Set<String>
    /// Succeeds for those already recorded.
    func record(_ kids: [String]) async throws(DiaryError)
}
