import DiaryCore

/// How the end of an operator's speech program is treated (A10). Its input is a wav of `AudioDecoder`, so an error is one of the
/// installation, but where the program says otherwise by its exit code (sysexits.h). What the machine did to it is not the engine's.
enum SpeechCommandFailure {
    /// - Parameter isBusy: the machine gave the program too little of its processors, and a later try may have more.
    static func classify(_ failure: ChildFailure, isBusy: Bool) -> ProviderFailure {
        switch failure {
        case .programMissing: ProviderFailure(.configuration, code: .speechUnavailable, cause: "the program cannot be run")
        case .notStarted, .notSpawned: .outage(code: .speechUnavailable, cause: "the sandbox did not start")
        case .timedOut where isBusy: ProviderFailure(.retry, code: .speechTimeout, cause: "the machine was busy: out of wall-clock time")
        case .timedOut: tooSlow
        case .outputTooLarge: ProviderFailure(.permanent, code: .mediaLimits, cause: "the transcript is too large").fromEngine
        case .cancelled: ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
        }
    }

    static func classify(_ ending: ChildOutcome.Ending) -> ProviderFailure {
        switch ending {
        // EX_DATAERR, EX_TEMPFAIL
        case .exited(65): ProviderFailure(.permanent, code: .mediaUnreadable, cause: "the program refused the recording").fromEngine
        case .exited(75): ProviderFailure(.retry, code: .speechUnavailable, cause: "the program asked for a later try").fromEngine
        case .exited(let code):
            ProviderFailure(.configuration, code: .speechUnavailable, cause: "the program exited with \(code)").fromEngine
        // SIGXCPU
        case .signaled(24): tooSlow
        // SIGKILL that this service did not send: the kernel was short of memory.
        case .signaled(9): ProviderFailure(.retry, code: .speechUnavailable, cause: "killed")
        case .signaled: ProviderFailure(.permanent, code: .speechUnavailable, cause: "the program crashed").fromEngine
        }
    }

    /// Another try would take as long. It is about this recording: the engine goes on for the others.
    static let tooSlow = ProviderFailure(
        .permanent, code: .speechTimeout, cause: "the program has used all of its time for this recording")

    static let malformed = ProviderFailure(
        .configuration, code: .speechUnavailable, cause: "the program's output is not whisper.cpp's JSON"
    ).fromEngine
}
