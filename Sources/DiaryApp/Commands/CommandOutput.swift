import ArgumentParser
import SystemPackage

enum CommandOutput {
    /// For people, on standard error: scripts read standard output.
    static func note(_ text: String) { _ = try? FileDescriptor.standardError.writeAll("\(text)\n".utf8) }
}

/// Rows under a line of headings, for people; programs read JSON.
struct TextTable {
    let headings: [String]
    private(set) var rows: [[String]] = []

    init(_ headings: String...) { self.headings = headings }

    init(headings: [String], rows: [[String]]) {
        self.headings = headings
        self.rows = rows
    }

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

/// Why a command with valid arguments failed: something does not exist, or its state forbids the command. Exit status 1, without a usage
/// text. `ValidationError`, with status 64 and a usage text, is for invalid arguments.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// `--yes` of every command that destroys something.
struct Confirmation: ParsableArguments {
    @Flag(help: "Confirms what cannot be undone.")
    var yes = false

    /// - Parameter words: the options to repeat the command with.
    func require(_ words: String = "--yes") throws(CommandFailure) {
        guard yes else { throw CommandFailure("this cannot be undone: repeat it with \(words)") }
    }
}
