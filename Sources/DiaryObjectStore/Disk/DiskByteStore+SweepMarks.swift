import BlockingCalls
package import DiaryCore

/// The file `sweep-mark` beside the folders of objects. A copy of the objects contains it too.
extension DiskByteStore: SweepMarks {
    package func number() async throws(ObjectStoreError) -> Int64 {
        try await pool.run { () throws(ObjectStoreError) in try tree.sweepNumber() }
    }

    package func write(_ number: Int64) async throws(ObjectStoreError) {
        try await pool.run { () throws(ObjectStoreError) in try tree.write(sweepNumber: number) }
    }
}
