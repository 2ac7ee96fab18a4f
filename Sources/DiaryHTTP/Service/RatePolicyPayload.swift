import DiaryCore
import WireFormats

enum RatePolicyPayload {
    static func write(_ policy: RatePolicy, to w: inout JSONWriter) {
        w.member("name", policy.name)
        switch policy.shape {
        case .rate(let limit, let window, let burst):
            w.member("kind", "rate")
            w.member("limit", limit)
            w.member("window_s", window)
            w.member("burst", burst)
        case .backoff(let free, let first, let longest):
            w.member("kind", "backoff")
            w.member("limit", free)
            w.member("window_s", longest)
            w.member("burst", first)
        case .quota(let limit, let window):
            w.member("kind", "quota")
            w.member("limit", limit)
            w.member("window_s", window)
            w.member("burst", limit)
        }
    }
}
