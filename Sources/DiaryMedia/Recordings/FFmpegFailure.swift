import DiaryCore

/// Separates faults of the recording, which are permanent, from temporary ones (A10).
enum FFmpegFailure {
    static func classify(_ failure: ChildFailure) -> ProviderFailure {
        switch failure {
        case .programMissing: ProviderFailure(.configuration, code: .unexpected, cause: "ffmpeg is not installed")
        case .notStarted, .notSpawned: .outage(code: .storageUnavailable, cause: "the sandbox did not start")
        // Costly content meets the limit on processor time first (`TimeBudget`).
        case .timedOut: ProviderFailure(.retry, code: .unexpected, cause: "the machine was busy: out of wall-clock time")
        case .outputTooLarge: ProviderFailure(.permanent, code: .mediaLimits, cause: "the report of the probe is too large")
        case .cancelled: ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
        }
    }

    static func classify(_ ending: ChildOutcome.Ending) -> ProviderFailure {
        switch ending {
        // SIGXCPU, SIGXFSZ; ffmpeg catches SIGXCPU and exits with 255, or with 123 after the fourth.
        case .signaled(24), .signaled(25), .exited(255), .exited(123):
            ProviderFailure(.permanent, code: .mediaLimits, cause: "over the limit of processor time or file size")
        // SIGKILL that this service did not send: the kernel was short of memory.
        case .signaled(9): ProviderFailure(.retry, code: .unexpected, cause: "killed")
        // ENOSPC: since 6.1 ffmpeg exits with the lowest byte of the negative error number. The tries count, as for what a decoder returns.
        case .exited(228): ProviderFailure(.retry, code: .unexpected, cause: "the machine's disk was full")
        // SIGABRT, SIGSEGV, SIGILL …: the recording broke the decoder.
        case .signaled: ProviderFailure(.permanent, code: .mediaUnreadable, cause: "the decoder crashed")
        case .exited: ProviderFailure(.permanent, code: .mediaUnreadable, cause: "not readable as the declared type")
        }
    }
}
