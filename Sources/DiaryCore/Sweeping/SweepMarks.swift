/// The number of the last sweep beside the objects. The database counts the sweeps; when it is behind the number here, an older database
/// was restored, and recordings that it does not name may be named by a newer dump.
package protocol SweepMarks: Sendable {
    /// 0 when none was written yet.
    func number() async throws(ObjectStoreError) -> Int64
    func write(_ number: Int64) async throws(ObjectStoreError)
}
