package import ArgumentParser

/// `diary`: every command of the service.
package struct DiaryCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "diary", abstract: "The voice-diary backend: API, workers, migrations, tenants, accounts and keys.",
        discussion: "Settings come from the environment; `diary settings` lists them. `diary dev` needs none.",
        version: Version.text,
        subcommands: [
            DevCommand.self, ServeCommand.self, WorkCommand.self, MigrateCommand.self, TenantCommand.self, UserCommand.self,
            SessionCommand.self, EnginesCommand.self, JobsCommand.self, ExportsCommand.self, KeysCommand.self, SyncCommand.self,
            ObjectsCommand.self,
            RestoreCheckCommand.self,
            SettingsCommand.self, CheckCommand.self, MailCommand.self,
        ])

    package init() {}
}
