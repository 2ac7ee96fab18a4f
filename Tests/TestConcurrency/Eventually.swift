/// Looks again every few milliseconds; false when the deadline passes first.
func eventually(within deadline: Duration = .seconds(10), _ condition: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now + deadline
    while ContinuousClock.now < end {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}

func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let took = try await ContinuousClock().measure { try await work() }
    return Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
}
