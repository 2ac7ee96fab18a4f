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
    "poison": act_poison,
    "postgres": act_postgres,
    "paused-worker": act_paused_worker,
    "redis": act_redis,
    "random-kills": act_random_kills,
    "damage": act_damage,
    "deadlines": act_deadlines,
    "sync": act_sync,
    "store": act_store,
    "limits": act_limits,
    "graceful": act_graceful,
    "oracle": act_oracle,
    "io-errors": act_io_errors,
    "commit-dropped": act_commit_dropped,
    "descriptors": act_descriptors,
}
