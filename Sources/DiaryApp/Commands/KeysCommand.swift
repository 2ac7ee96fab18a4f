import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryDatabase
import DiaryIdentity
import FoundationEssentials

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Rotates the keys of access tokens and the master key, while the service runs.",
        discussion: "Reads DIARY_MASTER_KEYS, DIARY_SIGNING_KEY and the key database as diary_admin. No key is ever printed.",
        subcommands: [List.self, Rotate.self, Retire.self, Rewrap.self, Destroy.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists token keys and masters, and what each master wraps.",
            discussion: """
                States of a token key: next (published, signs later), signing, old (verifies what it signed), ended, retired, and restored: it was \
                retired, a restore of the key database brought it back, and it is refused; retire it again.
                """)

        @Flag(help: "Print JSON: \(KeyReport.form.shape).")
        var json = false

        func run() async throws { try await KeyReport(KeyAdministrationSession()).show(json: json) }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a new token key. It is published now and signs after DIARY_KEY_PUBLISH_SECONDS.",
            discussion: "The current signing key verifies until its last token has ended; no session ends.")

        @Flag(help: "Let the new key sign after ten seconds: for a current signing key that may have leaked. Retire that key afterwards.")
        var now = false

        private static let form = ReportForm<(kid: String, signsFrom: Date)>(
            .member("kid") { $0.kid }, .member("signs_from") { $0.signsFrom })

        @Flag(help: "Print JSON: \(Self.form.shape).")
        var json = false

        func run() async throws {
            let session = try await KeyAdministrationSession()
            let pair = try P256PrivateKey.generate()
            let kid = SigningKeyRing.keyID(of: pair.publicKey)
            // Ten seconds: every API process reads the keys twice in that time.
            let seconds = now ? 2 * SigningKeyRefresher.refreshSeconds : session.settings.publishSeconds
            let sealed = try SigningKeySource.seal(pair, session.settings.masters)
            guard let signsFrom = try await session.keys.publish(kid: kid, sealed: sealed, signsAfter: Double(seconds)) else {
                throw CommandFailure("another key waits to sign; `diary keys retire` it first, or let it begin")
            }
            Self.form.show((kid, signsFrom), json: json, or: "\(kid) is published and signs from \(signsFrom.text)")
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Destroys a token key that no longer signs.", discussion: "Refused while its tokens may be valid, unless --now.")

        @Argument(help: "The key's id, as `diary keys list` shows it.")
        var kid: String

        @Flag(help: "Also while its tokens may be valid: they are refused within seconds, and apps refresh.")
        var now = false

        private static let form = ReportForm<String>(.member("kid") { $0 }, .member("state") { _ in "retired" })

        @Flag(help: "Print JSON: \(Self.form.shape).")
        var json = false

        func run() async throws {
            let session = try await KeyAdministrationSession()
            let retirements = try session.retirements()
            let isRetired = session.stored.contains { $0.kid == kid && $0.sealed == nil }
            let index = session.schedule.keys.firstIndex { $0.id == kid }
            if !isRetired {
                guard let index else { throw CommandFailure("there is no such key; `diary keys list` names them") }
                if try await !retirements.retired(among: [kid]).contains(kid) { try refuseLiving(index, session) }
                try await session.keys.retire(kid: kid)
            }
            // After the key is destroyed: that must not fail because the main database is down. Those of earlier versions as well.
            try await retirements.record(session.stored.filter { $0.sealed == nil }.map(\.kid) + [kid])
            Self.form.show(kid, json: json, or: "\(kid) is retired")
        }

        private func refuseLiving(_ index: Int, _ session: KeyAdministrationSession) throws {
            switch session.schedule.state(of: index, at: session.readAt) {
            case .signing: throw CommandFailure("this key signs now; `diary keys rotate` first")
            case .old where !now:
                let end = session.schedule.end(of: index)?.text ?? "its successor signs"
                throw CommandFailure("tokens of this key live until \(end); --now ends them")
            case .old, .next, .ended: break
            }
        }
    }
}
