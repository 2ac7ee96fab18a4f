/// Full jitter: each wait is drawn between zero and a bound that doubles (Brooker, "Exponential Backoff and Jitter").
struct ReconnectDelay {
    let base: Duration
    let cap: Duration
    var doublings = 0

    mutating func next() -> Duration {
        let bound = min(cap, base * (1 << doublings))
        if bound < cap { doublings += 1 }
        return bound * Double.random(in: 0..<1)
    }

    mutating func reset() {
        doublings = 0
    }
}
