/// What `diary jobs` shows, as `diary_admin`: ids, kinds, states, times and codes.
package protocol JobAdministration: Sendable {
    /// Newest first.
    func jobs(_ filter: JobFilter) async throws(DiaryError) -> [JobOverview]
    /// One for each account with an entry of this id: clients make the ids.
    func entries(_ id: EntryID) async throws(DiaryError) -> [EntryProgress]
    func counts() async throws(DiaryError) -> [JobCount]
    /// By name, also those that have ended without a word within the last day.
    func workers() async throws(DiaryError) -> [WorkerOverview]
}
