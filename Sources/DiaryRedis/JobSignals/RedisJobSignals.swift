package import DiaryCore
package import Logging
import ServiceLifecycle

/// Signals over Redis streams: one signal wakes one waiter of one process.
///
/// Sending works from initialisation. A wait receives signals of other processes only while `run()` runs; without it, or while Redis is
/// away, a wait ends by its timeout or by a signal of the same process. The stream of a kind is `<prefix><kind>`.
package final class RedisJobSignals: JobSignals, Service {
    private let waiters: SignalWaiters
    private let publisher: SignalPublisher
    private let reader: SignalReader

    /// - Parameter client: sends the signals. Blocking reads take a second connection to the same place.
    package init(client: RedisClient, prefix: String = "diary:wake:", group: String = "workers", logger: Logger) {
        let waiters = SignalWaiters()
        let streams = SignalStreams(prefix: prefix, group: RedisArgument(group))
        let publisher = SignalPublisher(client: client, streams: streams, undelivered: { waiters.wakeOrRemember($0) })
        self.waiters = waiters
        self.publisher = publisher
        reader = SignalReader(client: client, streams: streams, waiters: waiters, logger: logger, republish: { publisher.publish($0) })
    }

    deinit { reader.close() }

    /// Reads signals until the process is asked to stop.
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

    /// Wakes a waiter of this process directly; without one the signal goes to Redis, and when that fails to the next waiter here.
    package func jobCommitted(_ kind: JobKind) {
        if !waiters.wake(kind) { publisher.publish(kind) }
    }

    package func waitForWork(_ kinds: [JobKind], timeout: Double) async {
        await waiters.wait(for: kinds, timeout: timeout) { reader.waiterAdded() }
    }
}
