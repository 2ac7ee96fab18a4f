import Foundation

/// Counts of tests that repeat a thing many times: `full` with `DIARY_TIMES=1`, otherwise `fast`, so that a run of everything stays short.
package func repetitions(full: Int, fast: Int) -> Int { areCountsFull ? full : fast }

/// Whether `DIARY_TIMES=1` asks for the full counts.
package let areCountsFull = ProcessInfo.processInfo.environment["DIARY_TIMES"] == "1"
