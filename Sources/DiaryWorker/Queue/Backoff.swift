/// Growing waits with jitter while a dependency is unavailable.
struct Backoff {
    private let base: Double
    private let cap: Double
    private var ceiling: Double

    init(base: Double = 0.25, cap: Double = 5) {
        self.base = base
        self.cap = max(base, cap)
        ceiling = base
    }

    /// Seconds: between half of the ceiling and the ceiling, which doubles.
    mutating func next() -> Double {
        defer { ceiling = min(ceiling * 2, cap) }
        return Double.random(in: ceiling / 2...ceiling)
    }

    mutating func reset() { ceiling = base }
}

/// Sleeps, or returns at once when the task is cancelled. Every timed wait of this target uses it.
func pause(_ seconds: Double) async {
    try? await Task.sleep(for: .seconds(seconds))
}
