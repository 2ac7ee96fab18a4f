"""A relay for mail on 127.0.0.1: install_check_mail.py FOLDER PORT. What it takes lies in the folder as .eml files. Prints a line when it listens."""

import asyncio
import pathlib
import sys


class Session:
    def __init__(self, folder, reader, writer):
        self.folder, self.reader, self.writer = folder, reader, writer

    async def say(self, text):
        self.writer.write(text.encode() + b"\r\n")
        await self.writer.drain()

    async def run(self):
        await self.say("220 relay ESMTP")
        while line := await self.reader.readline():
            word = line.decode("latin-1").strip().upper()
            if word.startswith(("EHLO", "HELO")):
                await self.say("250-relay\r\n250-SIZE 20000000\r\n250 8BITMIME")
            elif word == "DATA":
                await self.say("354 go on")
                self.keep(await self.content())
                await self.say("250 taken")
            elif word == "QUIT":
                await self.say("221 bye")
                break
            else:
                await self.say("250 ok" if word.startswith(("MAIL", "RCPT", "RSET", "NOOP")) else "502 not known")
        self.writer.close()

    async def content(self):
        lines = []
        while (line := await self.reader.readline()) not in (b".\r\n", b""):
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        return b"".join(lines)

    def keep(self, content):
        part = self.folder / f"{len(list(self.folder.glob('*.eml'))):06}.part"
        part.write_bytes(content)
        part.rename(part.with_suffix(".eml"))


async def main():
    folder, port = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    server = await asyncio.start_server(lambda r, w: Session(folder, r, w).run(), "127.0.0.1", port, limit=1 << 20)
    print("listening", flush=True)
    await server.serve_forever()


asyncio.run(main())
