/// What `diary exports create`, `list` and `show` do, by the database role `diary_admin`.
package protocol ExportAdministration: Sendable {
    /// An export whose mail goes to the account's own verified address (decision D11), with its job. Writes an event of the account, and an
    /// act of the app with the operator's name.
    /// - Returns: nil when there is no such account.
    func create(_ export: AdministeredExport, for owner: Owner, by operator: String) async throws(DiaryError) -> AdministeredExport.Outcome?
    /// Newest first.
    /// - Parameter export: nil: all.
    func exports(_ export: ExportID?, of owner: Owner, limit: Int) async throws(DiaryError) -> [ExportOverview]
}
