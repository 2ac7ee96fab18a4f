/// Rows under a line of headings, for people; programs read JSON.
struct TextTable {
    let headings: [String]
    private(set) var rows: [[String]] = []

    init(_ headings: String...) { self.headings = headings }

    mutating func add(_ cells: String...) { rows.append(cells) }

    /// Columns are as wide as their longest cell and two spaces apart; no line ends with a space.
    var lines: [String] {
        let all = [headings.map { $0.uppercased() }] + rows
        let widths = headings.indices.map { column in all.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0 }
        return all.map { row in
            let line = zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    func show() { for line in lines { print(line) } }
}
