#if FUZZ_COVERAGE
    import CLibFuzzer
#endif

/// One program, many targets: DIARY_FUZZ_TARGET names one; without it the names are printed. An ordinary debug build takes the command line of
/// `RandomDriver`, an instrumented one (DIARY_FUZZ_COVERAGE=1, see Package.swift) that of libFuzzer.
@main
enum Fuzz {
    static func main() throws {
        if chosen.name == "list" {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        #if FUZZ_COVERAGE
            var count = CommandLine.argc
            var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
            _ = LLVMFuzzerRunDriver(&count, &arguments, { LLVMFuzzerTestOneInput($0, $1) })
        #else
            let driver = try RandomDriver(Array(CommandLine.arguments.dropFirst()))
            print("\(try driver.run(chosen)) runs")
        #endif
    }
}
