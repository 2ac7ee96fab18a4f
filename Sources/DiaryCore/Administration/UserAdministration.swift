/// What `diary user` and `diary session` do, by the database role `diary_admin`. Each change writes an event of the account and, because
/// those are erased with the account, a record with the operator's name to the app (`TenantAct`).
package protocol UserAdministration: Sendable {
    /// - Parameter hash: of the address, keyed (`ServiceKeys.addressHash`).
    func user(address hash: [UInt8], in tenant: TenantID) async throws(DiaryError) -> UserID?
    func overview(_ owner: Owner) async throws(DiaryError) -> UserOverview?
    /// Disabling ends every session; enabling opens none.
    /// - Returns: false when there is no such account.
    func setDisabled(_ owner: Owner, _ disabled: Bool, by operator: String) async throws(DiaryError) -> Bool
    /// - Parameter session: nil is all of them.
    /// - Returns: how many ended.
    func revokeSessions(_ owner: Owner, _ session: SessionID?, by operator: String) async throws(DiaryError) -> Int
    /// The tombstone, as when a member erases their account; a worker does the rest.
    /// - Parameter operator: nil when it is part of an app's erasure, which is recorded once.
    /// - Returns: false when there is no such account, or it is being erased.
    func requestErasure(_ owner: Owner, _ deletion: NewDeletion, by operator: String?) async throws(DiaryError) -> Bool
    /// Accounts of an app that are not being erased, by id.
    func users(of tenant: TenantID, after: UserID?, limit: Int) async throws(DiaryError) -> [UserID]
    /// Removes a suspended app that has no accounts any more, and records the operator.
    /// - Returns: false when accounts are left, or it is not suspended.
    func eraseTenant(_ tenant: TenantID, by operator: String) async throws(DiaryError) -> Bool
}
