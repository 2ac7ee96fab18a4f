// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

extension RecordingLimits {
    package init(duration: Double = 4 * 3600, _: Void = ()) {
        self.duration = duration
    }
}

extension Sandbox {
    package init(isolation: Isolation, observer: [String] = [], _: Void = ()) {
        self.isolation = isolation
        self.observer = observer
    }
}
