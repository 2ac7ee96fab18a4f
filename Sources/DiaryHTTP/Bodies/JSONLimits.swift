/// Limits of size and depth of a JSON body (F5).
package struct JSONLimits: Sendable {
    package var jsonBytes = 256 * 1024
    package var jsonDepth = 32
}
