import CLibFuzzer

// One program, many targets: DIARY_FUZZ_TARGET names one; `list` prints them. The command line is libFuzzer's own.
if chosen.name == "list" {
    for target in FuzzTarget.all { print(target.name) }
} else {
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    _ = LLVMFuzzerRunDriver(&count, &arguments, { LLVMFuzzerTestOneInput($0, $1) })
}
