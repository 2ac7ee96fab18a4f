import DiaryApp

@main
struct Diary {
    static func main() async {
        await DiaryCommand.start()
    }
}
