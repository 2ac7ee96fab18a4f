/// Removes a sign-in method, but never the last one. The proved address is notified, also when it is removed with the method.
package struct UnlinkIdentity: Sendable {
    let linked: any LinkedIdentityStore
    let jobSignals: any JobSignals

    package func run(_ id: IdentityID, origin: RequestOrigin, by member: Member) async throws(DiaryError) {
        switch try await linked.unlink(id, of: member, origin: origin) {
        case .unlinked: jobSignals.jobCommitted(.mail)
        case .missing: throw .notFound
        case .last: throw DiaryError(.lastIdentity)
        }
    }
}
