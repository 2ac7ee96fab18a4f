import Testing

/// The test bundle's entry point. It is ours so that SwiftPM does not look for XCTest cases, of which there are none: looking needs the index
/// store, whose writing is an eighth of a first build.
@main
struct TestBundle {
    static func main() async {
        // `swift test` runs the bundle once for each library.
        guard !CommandLine.arguments.contains("xctest") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
