/// The answer of one check of `/readyz`.
package enum ReadinessState: String, Sendable {
    case ok
    /// It works with a restriction: requests that do not need the rest are served.
    case degraded
    case down

    package init(_ works: Bool) { self = works ? .ok : .down }
}
