import Foundation

/// The mails to an address, as `diary dev` writes them into a folder.
struct Mailbox {
    let folder: URL
    let address: String

    /// The code of eight digits that stands on a line of its own.
    func code() throws -> String? {
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "eml" {
            let mail = try String(contentsOf: file, encoding: .utf8)
            guard mail.contains(address) else { continue }
            for line in mail.split(whereSeparator: \.isNewline) {
                let word = line.trimmingCharacters(in: .whitespaces)
                if word.count == 8, word.allSatisfy(\.isNumber) { return word }
            }
        }
        return nil
    }
}
