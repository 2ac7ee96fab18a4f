/// What a JSON body may cost (F5).
package struct JSONLimits: Sendable {
    package var jsonBytes = 256 * 1024
    package var jsonDepth = 32
}
