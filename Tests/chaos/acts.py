"""The acts, the longest first: they are played side by side. One line adds one."""

import act_commit_dropped
import act_damage
import act_deadlines
import act_descriptors
import act_graceful
import act_io_errors
import act_kill_points
import act_limits
import act_oracle
import act_paused_worker
import act_poison
import act_postgres
import act_random_kills
import act_redis
import act_store
import act_sync

ACTS = {
    "kill-points": act_kill_points,
    "random-kills": act_random_kills,
    "postgres": act_postgres,
    "redis": act_redis,
    "graceful": act_graceful,
    "io-errors": act_io_errors,
    "damage": act_damage,
    "deadlines": act_deadlines,
    "descriptors": act_descriptors,
    "poison": act_poison,
    "commit-dropped": act_commit_dropped,
    "paused-worker": act_paused_worker,
    "limits": act_limits,
    "store": act_store,
    "sync": act_sync,
    "oracle": act_oracle,
}
