package import FoundationEssentials

/// The one clock of the service. Tests pass their own.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Date

    package static let system = WallClock { Date() }
}
