import ArgumentParser
import DiaryCore

extension UserCommand {
    struct Erase: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erases an account; prints the receipt by which its owner may follow the erasure.",
            discussion: """
                Access ends at once; a worker destroys the key, the recordings and the rows within a minute. Needs \
                DIARY_SERVICE_SECRET. JSON is {id, receipt}.
                """)

        @OptionGroup var target: UserTarget

        @OptionGroup var confirmation: Confirmation
        @OptionGroup var admin: AdminOptions

        func validate() throws { try confirmation.require() }

        func run() async throws {
            let (users, owner) = try await target.find()
            guard let receipt = try await AdminErasure(users: users).erase(owner, by: try admin.who()) else { throw target.missing }
            struct Started: Encodable {
                let id: String
                let receipt: String
            }
            if admin.json {
                try CommandOutput.json(Started(id: owner.user.description, receipt: receipt.text))
            } else {
                print("\(owner.user): being erased; receipt \(receipt.text)")
            }
        }
    }
}
