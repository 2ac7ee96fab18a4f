import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryObjectStore
import Logging
import PostgresClient

extension ObjectsCommand {
    struct Waiting: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Counts what staging and the parts of uploads still hold, before the objects move to another store.",
            discussion: """
                Neither is copied: docs/reference.md, "Move recordings to a bucket, or back". Changes nothing. Connects as diary_backup and diary_worker; \
                needs DIARY_OBJECTS. Ends with 0 when workers have nothing left to do, with 2 when they have, with 1 when it could not be looked at.
                """)

        private static let form = ReportForm<WaitingUploads.Counts>(
            .member("recordings") { $0.recordings }, .member("zips") { $0.zips }, .member("parts") { $0.parts },
            .member("begun") { $0.begun })

        @Flag(help: "Print JSON: \(Self.form.shape).")
        var json = false

        func run() async throws {
            let environment = Environment.process
            let database = try DatabaseSettings(environment)
            let logger = Logger(label: "diary-objects-waiting")
            let storage = try ObjectStorage(ObjectSettings(environment), logger: logger)
            let rows = try PostgresRestoreCheck(of: database, logger: logger)
            let sweeps = PostgresSweepStore(
                pool: try ConnectionPool(.init(connection: database.main(as: .worker), size: 1), logger: logger))
            let waiting = WaitingUploads(rows: rows, objects: storage.objects, parts: storage.parts) {
                after, limit async throws(WorkError) in
                try await sweeps.awaitingParts(after: after, limit: limit)
            }
            let counts = try await waiting.run()
            show(counts)
            if counts.forWorkers > 0 { throw RestoreCheckCommand.found }
        }

        private func show(_ counts: WaitingUploads.Counts) {
            if json { return Self.form.show(json: counts) }
            var table = TextTable("what", "left", "")
            table.add("recordings", String(counts.recordings), "in staging: workers verify and seal them")
            table.add("zips", String(counts.zips), "in staging: workers import them")
            table.add("parts", String(counts.parts), "whole sets: workers join them")
            table.add("begun", String(counts.begun), "by clients, which begin them anew after a move")
            table.show()
        }
    }
}
