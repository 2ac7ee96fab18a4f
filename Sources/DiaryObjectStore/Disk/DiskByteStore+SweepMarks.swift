import BlockingCalls
package import DiaryCore
import Glibc

/// The file `sweep-mark` beside the folders of objects. A copy of the objects contains it too.
extension DiskByteStore: SweepMarks {
    package func number() async throws(ObjectStoreError) -> Int64 {
        try await pool.run { () throws(ObjectStoreError) in try tree.sweepNumber() }
    }

    package func write(_ number: Int64) async throws(ObjectStoreError) {
        try await pool.run { () throws(ObjectStoreError) in try tree.write(sweepNumber: number) }
    }
}

extension ObjectTree {
    private static let sweepMark = "sweep-mark"

    /// 0 when there is no mark. Throws `damaged` for a file that holds no number.
    func sweepNumber() throws(ObjectStoreError) -> Int64 {
        guard try root.status(of: Self.sweepMark) != nil else { return 0 }
        let text = String(decoding: try root.open(Self.sweepMark, flags: O_RDONLY).read(at: 0, count: 32), as: UTF8.self)
        guard text.last == "\n", let number = Int64(text.dropLast()), number >= 0 else { throw .damaged }
        return number
    }

    /// Replaces the mark as a whole, durably. An earlier number of another worker may come last, which only means a smaller mark.
    func write(sweepNumber number: Int64) throws(ObjectStoreError) {
        let (name, file) = try lockedTemporary(prefix: "\(Self.sweepMark)-")
        do throws(ObjectStoreError) {
            try file.write(Array("\(number)\n".utf8))
            try file.sync()
            try temporary.rename(name, into: root, as: Self.sweepMark)
        } catch {
            _ = try? temporary.unlink(name)
            throw error
        }
        try root.sync()
    }
}
