import DiaryCore

/// How far children come after the service's own work. While short recordings are decoded and recognised, which somebody waits for, a long
/// one gets a third of the share of one of them, and so does a probe, of which one account may begin one a second. No lower: each must end
/// before its wall (`TimeBudget`) on a machine that is never idle.
enum Niceness {
    static let short = 5
    static let long = 10
    static let probe = 10

    /// - Parameter seconds: of the recording. As for the slots of the queue.
    static func of(seconds: Double) -> Int { JobCost.isLong(JobCost.transcribe(seconds: seconds)) ? long : short }
}
