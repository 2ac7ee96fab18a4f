import DiaryCore

/// Prints what a check finds as it comes, so that a long list is never in memory, and at the end counts and advice.
struct FindingReport<Kind: RawRepresentable<String> & CaseIterable & Hashable, Counts: Sendable> {
    let json: Bool
    let counts: ReportForm<Counts>
    let advice: (Kind) -> String
    private var found: [Kind: Int] = [:]

    init(json: Bool, counts: ReportForm<Counts>, advice: @escaping (Kind) -> String) {
        self.json = json
        self.counts = counts
        self.advice = advice
    }

    var isClean: Bool { found.isEmpty }

    mutating func add(_ kind: Kind, of owner: Owner?, _ id: String?) {
        found[kind, default: 0] += 1
        let finding = PrintedFinding(kind: kind.rawValue, owner: owner, id: id)
        PrintedFinding.form.show(finding, json: json, or: finding.text)
    }

    /// - Parameter lines: the counts for people.
    func finish(_ counts: Counts, _ lines: [String]) {
        if json {
            let findings = Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, $0.value) })
            let form = ReportForm<Counts>(.object("counts", self.counts) { $0 }, .member("findings") { _ in findings })
            return form.show(json: counts)
        }
        for line in lines { print(line) }
        for kind in Kind.allCases {
            if let count = found[kind] { print("\(kind.rawValue): \(count). \(advice(kind))") }
        }
    }
}

struct PrintedFinding: Sendable {
    let kind: String
    let owner: Owner?
    let id: String?

    static let form = ReportForm<PrintedFinding>(
        .member("finding") { $0.kind },
        .member("tenant") { $0.owner?.tenant.description },
        .member("user") { $0.owner?.user.description },
        .member("id") { $0.id })

    var text: String { [kind, owner?.tenant.description, owner?.user.description, id].compactMap(\.self).joined(separator: "  ") }

    static func help<Counts: Sendable>(_ counts: ReportForm<Counts>) -> String {
        "Print JSON, one object a line: \(form.shape), and at the end {counts: \(counts.shape), findings}."
    }
}
