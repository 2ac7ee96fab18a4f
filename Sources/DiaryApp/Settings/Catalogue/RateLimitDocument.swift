import DiaryCore

/// The rate limits as the table of docs/operations.md.
enum RateLimitDocument {
    static var markdown: String {
        let rows = RatePolicies.standard.declared.map { row in
            let limit =
                switch row.policy.shape {
                case .rate(let limit, let window, let burst): "\(limit) in \(window) s, \(burst) at once"
                case .quota(let limit, let window): window == 86_400 ? "\(limit) a day (UTC)" : "\(limit) in \(window) s"
                case .backoff(let free, let first, let longest):
                    "\(free) at once, then a wait of \(first) s that doubles, up to \(longest) s"
                }
            let subject =
                switch row.subject {
                case .member: "user"
                case .address: "client address"
                case .account: "account"
                }
            let setting = row.setting.map { "`\($0.name)`" } ?? ""
            return "| `\(row.policy.name)` | \(row.meaning) | \(limit) | \(subject) |\(setting.isEmpty ? "" : " \(setting)") |\n"
        }
        return "| Limit | Counts | Default | Per | Setting of an app |\n|---|---|---|---|---|\n" + rows.joined()
    }
}
