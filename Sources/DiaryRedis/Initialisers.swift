// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import DiaryCore
package import RedisClient

extension RedisRateLimiter {
    package init(client: RedisClient, fallback: any RateLimiter = LocalRateLimiter(), _: Void = ()) {
        self.client = client
        self.fallback = fallback
    }
}
