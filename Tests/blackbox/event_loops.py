"""Event loops of servers that run in a thread beside the tests."""

import asyncio


def end(server, loop, thread):
    """Ends a server, the tasks of its loop and the loop's thread."""

    async def stop():
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    asyncio.run_coroutine_threadsafe(stop(), loop).result(5)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(5)
