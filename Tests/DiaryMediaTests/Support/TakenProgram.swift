@testable import DiaryMedia

extension Sandbox {
    /// A shell's script in the place of each program, with the job's folder as its own: what a program that was taken over can leave there.
    /// - Parameter script: `"$@"` is the real program. Without it the script's first line of output must be empty (`Sandbox.marker`).
    static func taken(by script: String) -> Sandbox {
        Sandbox(isolation: .limitsOnly, observer: ["/bin/sh", "-c", script, "sh"])
    }
}
