import DiaryCore
import DiaryTesting
import Foundation
import Synchronization
import TestSupport

@testable import DiaryWorker

final class MemoryMarks: SweepMarks {
    let stored = Shared<Int64>(0)
    let isAway = Shared(false)

    func number() async throws(ObjectStoreError) -> Int64 {
        if isAway.now { throw .unavailable(full: false) }
        return stored.now
    }
    func write(_ number: Int64) async throws(ObjectStoreError) { stored.set(number) }
}
