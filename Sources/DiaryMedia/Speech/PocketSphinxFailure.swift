import DiaryCore

/// Separates faults of the sound, which are permanent, from temporary ones and from those of the installation (A10).
enum PocketSphinxFailure {
    static func classify(_ failure: ChildFailure) -> ProviderFailure {
        switch failure {
        case .programMissing: ProviderFailure(.configuration, code: .speechUnavailable, cause: "pocketsphinx is not installed")
        case .notStarted, .notSpawned: .outage(code: .speechUnavailable, cause: "the sandbox did not start")
        // Costly sound meets the limit on processor time first (`TimeBudget`).
        case .timedOut: ProviderFailure(.retry, code: .speechTimeout, cause: "the machine was busy: out of wall-clock time")
        case .outputTooLarge: ProviderFailure(.permanent, code: .mediaLimits, cause: "the transcript is too large")
        case .cancelled: ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
        }
    }

    static func classify(_ ending: ChildOutcome.Ending) -> ProviderFailure {
        switch ending {
        // SIGXCPU
        case .signaled(24):
            ProviderFailure(.permanent, code: .mediaLimits, cause: "recognition is over the limit of processor time")
        // SIGKILL that this service did not send: the kernel was short of memory.
        case .signaled(9): ProviderFailure(.retry, code: .speechUnavailable, cause: "killed")
        case .signaled: ProviderFailure(.permanent, code: .speechUnavailable, cause: "the recogniser crashed")
        // It exits with 1 when the model cannot be loaded; the input is a WAV file of AudioDecoder.
        case .exited: ProviderFailure(.configuration, code: .speechUnavailable, cause: "the recogniser refused to start")
        }
    }
}
