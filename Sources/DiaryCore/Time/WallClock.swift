package import FoundationEssentials

/// The one clock. Tests hand in their own.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    package static let system = WallClock { Date() }
}
