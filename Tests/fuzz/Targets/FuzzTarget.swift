import FoundationEssentials

/// A reader of untrusted input. `run` ends the process when a property does not hold.
struct FuzzTarget: Sendable {
    let name: String
    let run: @Sendable (inout FuzzBytes) -> Void

    static let all: [FuzzTarget] = [
        .token, .provider, .sigv4, .links, .range, .cursor, .json, .listing, .fields, .query, .head, .form, .row, .parameters, .sealed,
        .parts,
        .mail, .zip, .unzip,
    ]
}

let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["DIARY_FUZZ_TARGET"] ?? "list"
    return FuzzTarget.all.first { $0.name == name } ?? FuzzTarget(name: "list") { _ in }
}()

/// libFuzzer's entry point.
@_cdecl("LLVMFuzzerTestOneInput")
func LLVMFuzzerTestOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = FuzzBytes(Array(UnsafeBufferPointer(start: start, count: count)))
    chosen.run(&bytes)
    return 0
}

/// A property. When it does not hold, the process ends and the driver has kept the input.
func hold(_ holds: Bool, _ what: String) {
    guard holds else { fatalError("\(chosen.name): \(what)") }
}
