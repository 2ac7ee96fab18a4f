/// Ends sessions: their access and refresh tokens are refused from the next request on (B15).
package struct EndSessions: Sendable {
    let sessions: any SessionStore

    package func one(_ session: SessionID, by member: Member, from origin: RequestOrigin) async throws(DiaryError) {
        guard try await sessions.end(session, by: member, requestID: origin.requestID) else { throw .notFound }
    }

    /// The session of the request.
    package func own(_ member: Member, from origin: RequestOrigin) async throws(DiaryError) {
        // Ended by another request at the same moment.
        guard try await sessions.end(member.session, by: member, requestID: origin.requestID) else { throw .unauthorized }
    }

    package func all(keepingOwn: Bool, by member: Member, from origin: RequestOrigin) async throws(DiaryError) {
        try await sessions.endAll(keepingOwn: keepingOwn, by: member, requestID: origin.requestID)
    }
}
