/// A member's sessions, by the database role `diary_api`. Ending one writes the event in the same transaction.
package protocol SessionStore: Sendable {
    /// The hundred used most recently.
    func sessions(of member: Member) async throws(DiaryError) -> [StoredSession]
    /// - Returns: false when the member has no such session, or it has ended.
    func end(_ session: SessionID, by member: Member, requestID: String?) async throws(DiaryError) -> Bool
    /// Ends all of the member's sessions, or all but the one of the request.
    func endAll(keepingOwn: Bool, by member: Member, requestID: String?) async throws(DiaryError)
}
