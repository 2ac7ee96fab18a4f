import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryDatabase

extension KeysCommand {
    struct Rewrap: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rewraps all keys and the secrets of apps under the current master (the first of DIARY_MASTER_KEYS).",
            discussion: """
                While the service runs; may be interrupted and run again. All processes must have both masters before it is run, and the old one may
                leave DIARY_MASTER_KEYS when `diary keys list` shows that it wraps nothing. Exits with 1 when a key could not be read, or the main \
                database, which has the secrets, did not answer.
                """)

        @Option(help: "Keys per transaction, 1 to 1000.")
        var batch = 100

        @Flag(help: "Print JSON: \(Done.form.shape); no secrets when the main database is away.")
        var json = false

        func validate() throws {
            guard (1...1_000).contains(batch) else { throw ValidationError("--batch must be 1 to 1000") }
        }

        private struct Done: Sendable {
            let master: String
            let keys: RewrapKeys.Report
            /// nil while the main database is down.
            let secrets: RewrapAppSecrets.Report?
            let left: Int

            var unreadable: Int { keys.unreadable + (secrets?.unreadable ?? 0) }

            static let form = ReportForm<Done>(
                .member("master") { $0.master },
                .member("data_keys") { $0.keys.dataKeys },
                .member("signing_keys") { $0.keys.signingKeys },
                .member("secrets") { $0.secrets?.secrets },
                .member("changed") { $0.keys.changed + ($0.secrets?.changed ?? 0) },
                .member("unreadable") { $0.unreadable },
                .member("left") { $0.left })
        }

        func run() async throws {
            let session = try await KeyAdministrationSession()
            let masters = session.settings.masters
            let keys = try await RewrapKeys(keys: session.keys, masters: masters, batch: batch).run()
            // After the keys: those must not wait for the main database.
            let secrets = try await appSecrets(session)
            let counts = [try await session.keys.dataKeysByMaster(), secrets?.byMaster ?? [:]]
            let left = counts.map { $0.filter { $0.key != masters.currentID }.values.reduce(0, +) }.reduce(0, +)
            let done = Done(master: masters.currentID, keys: keys, secrets: secrets?.report, left: left)
            Done.form.show(
                done, json: json,
                or: """
                    \(keys.dataKeys) data keys, \(keys.signingKeys) signing keys and \(done.secrets?.secrets ?? 0) secrets of apps are now under \
                    \(done.master); left under others: \(left); unreadable: \(done.unreadable)
                    """)
            if secrets == nil {
                CommandOutput.note("the main database did not answer: the secrets of apps are as they were; run it again when it does")
            }
            if done.unreadable > 0 || secrets == nil { throw ExitCode.failure }
        }

        /// nil while the main database is down.
        private func appSecrets(
            _ session: KeyAdministrationSession
        ) async throws -> (report: RewrapAppSecrets.Report, byMaster: [String: Int])? {
            let store = try session.appSecrets()
            do throws(DiaryError) {
                let report = try await RewrapAppSecrets(store: store, masters: session.settings.masters).run()
                return (report, try await store.secretsByMaster())
            } catch {
                guard error.code == .unavailable else { throw error }
                return nil
            }
        }
    }
}
