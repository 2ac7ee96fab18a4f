import Foundation
import OpenAPIClient

/// `ClientJob URL OUTBOX SAMPLE [VALUE]`: with VALUE the service answers it in every string that may grow.
@main
enum Main {
    static func main() async {
        let words = CommandLine.arguments.dropFirst().map(\.self)
        guard words.count == 3 || words.count == 4, let sample = FileManager.default.contents(atPath: words[2]) else {
            return end("usage: ClientJob URL OUTBOX SAMPLE [VALUE]", 2)
        }
        OpenAPIClientAPIConfiguration.shared.basePath = words[0]
        let mailbox = Mailbox(folder: URL(fileURLWithPath: words[1]), address: "\(UUID().uuidString.lowercased())@example.org")
        let job = ClientJob(mailbox: mailbox, sample: sample, unknown: words.count == 4 ? words[3] : nil)
        do {
            try await job.run()
        } catch {
            return end("\(error)", 1)
        }
        print("swift6: the main job" + (job.unknown == nil ? "" : ", with a later version of the service"))
    }

    static func end(_ message: String, _ status: Int32) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(status)
    }
}
