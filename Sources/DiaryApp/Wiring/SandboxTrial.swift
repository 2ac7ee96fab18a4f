import DiaryMedia
import Logging

/// Finds out which sandbox works on this machine, once, when an engine or the probe first needs it.
actor SandboxTrial {
    private let required: Bool
    private let logger: Logger
    private let detect: @Sendable () async throws -> Sandbox
    private var trial: Task<Sandbox, any Error>?

    init(required: Bool, logger: Logger, detect: @escaping @Sendable () async throws -> Sandbox = Sandbox.detect) {
        self.required = required
        self.logger = logger
        self.detect = detect
    }

    /// - Throws: `SettingsError` when the sandbox is required and namespaces do not work; another error when the machine could not try.
    func get() async throws -> Sandbox {
        // A task, so that all callers wait for one trial.
        let trial =
            trial
            ?? Task { [detect, logger] in
                let sandbox = try await detect()
                logger.log(
                    level: sandbox.isolation == .namespaces ? .notice : .warning, "media sandbox",
                    metadata: ["isolation": "\(sandbox.isolation.rawValue)", "holds": "\(sandbox)"])
                return sandbox
            }
        self.trial = trial
        let sandbox: Sandbox
        do { sandbox = try await trial.value } catch {
            // The next caller tries again.
            if self.trial == trial { self.trial = nil }
            throw error
        }
        guard !required || sandbox.isolation == .namespaces else { throw SettingsError(MediaSettings.sandbox, Self.refusal) }
        return sandbox
    }

    private static let refusal =
        "is required, but a trial of bwrap failed: it must be installed (bubblewrap), unprivileged user namespaces must be allowed "
        + "(sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces), and neither the unit nor the container may refuse them"
}
