import ArgumentParser
import DiaryApp

await DiaryCommand.main()
