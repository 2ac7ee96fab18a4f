/// Checks every 5 ms until the condition holds; false when the limit passes first.
package func eventually(
    within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return try await condition()
}

/// Checks every 5 ms until the condition holds.
/// - Throws: `NotInTime` when the limit passes first.
package func until(
    within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    guard try await eventually(within: limit, condition) else { throw NotInTime(limit: limit) }
}

package struct NotInTime: Error {
    let limit: Duration
}

/// Seconds that the work takes.
package func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let took = try await ContinuousClock().measure { try await work() }
    return Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
}
