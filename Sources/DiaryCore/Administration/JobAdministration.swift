/// What `diary jobs` shows, by the database role `diary_admin`: ids, kinds, states, times and codes.
package protocol JobAdministration: Sendable {
    /// Newest first.
    func jobs(_ filter: JobFilter) async throws(DiaryError) -> [JobOverview]
    /// One for each account with an entry of this id: clients make the ids.
    func entries(_ id: EntryID) async throws(DiaryError) -> [EntryProgress]
    func counts() async throws(DiaryError) -> [JobCount]
    /// By name, also those that ended within the last day without withdrawing their report.
    func workers() async throws(DiaryError) -> [WorkerOverview]
    /// Entries that wait without a job, for a minute or more. The sweeper mends them.
    func stranded() async throws(DiaryError) -> Int

    /// Workers take no new jobs of the queue, of one app or (nil) of all; what they have they finish. Holds for their next claims.
    /// - Returns: false when it was held already.
    func pause(_ queue: QueueName, of tenant: TenantID?, by operator: String) async throws(DiaryError) -> Bool
    /// - Returns: false when it was not held.
    func resume(_ queue: QueueName, of tenant: TenantID?, by operator: String) async throws(DiaryError) -> Bool
    func paused() async throws(DiaryError) -> [PausedWork]
    /// Makes jobs that have failed permanently ready again, with their entries and exports: a page in the order of ids.
    func retry(_ filter: RetryFilter, after: JobID?, limit: Int, by operator: String) async throws(DiaryError) -> [RetriedJob]
}
