package import DiaryCore
package import Logging
import ServiceLifecycle

/// Hints over Redis streams: one hint wakes one waiter of one process.
///
/// Hints work from the moment it is made. Waiting hears other processes only while `run()` runs; without it, or while Redis is
/// away, a wait ends by its timeout or by a commit of the same process. The stream of a kind is `<prefix><kind>`.
package final class StreamWakeUps: WakeUps, Service {
    private let room: WaitingRoom
    private let publisher: HintPublisher
    private let reader: HintReader

    /// - Parameter client: sends the hints. Blocking reads take a second connection to the same place.
    package init(client: RedisClient, prefix: String = "diary:wake:", group: String = "workers", logger: Logger) {
        let room = WaitingRoom()
        let streams = HintStreams(prefix: prefix, group: RedisArgument(group))
        let publisher = HintPublisher(client: client, streams: streams, undelivered: { room.wakeOrRemember($0) })
        self.room = room
        self.publisher = publisher
        reader = HintReader(client: client, streams: streams, room: room, logger: logger, giveBack: { publisher.publish($0) })
    }

    deinit { reader.close() }

    /// Reads hints until the process is asked to stop.
    package func run() async throws {
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await reader.run()
            } onGracefulShutdown: {
                self.reader.close()
            }
        } onCancel: {
            reader.close()
        }
    }

    /// A waiter of this process is woken directly; otherwise the hint goes to Redis, and when that fails to the next waiter here.
    package func jobCommitted(_ kind: JobKind) {
        if !room.wake(kind) { publisher.publish(kind) }
    }

    package func waitForWork(_ kinds: [JobKind], timeout: Double) async {
        await room.wait(kinds, timeout: timeout) { reader.waiterCame() }
    }
}
