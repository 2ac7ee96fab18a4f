import ArgumentParser
import DiaryCore
import DiaryRedis
import FoundationEssentials
import RedisClient

/// Options of every command that changes something.
struct AdminOptions: ParsableArguments {
    @Option(help: "The operator's name in the record of acts (default: the user who runs the command).")
    var `operator`: String?

    @Flag(help: "Print JSON.")
    var json = false

    func who() throws -> String {
        let name = `operator` ?? OperatorName.find(ProcessInfo.processInfo.environment)
        if let fault = OneLineText.fault(ofName: name, max: 100) { throw ValidationError("--operator \(fault)") }
        return name
    }

    /// Notifies running services, so that they read the change immediately. Without the notice they read it within seconds.
    func announce(_ topic: ChangeTopic = .tenants) async {
        guard let endpoint = try? Environment.process.read(Settings.redis) else { return }
        let client = RedisClient(endpoint: endpoint, logger: AdminDatabase.logger)
        try? await ChangeNotices.publish(topic, on: client)
        client.close()
    }
}
