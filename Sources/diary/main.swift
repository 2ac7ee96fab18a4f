import Hummingbird
import ArgumentParser
import Subprocess
print("hi")
