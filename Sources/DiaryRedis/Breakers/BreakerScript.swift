/// The Lua scripts of the breakers, by Redis' clock. The arithmetic is that of `BreakerState`; times are in milliseconds.
enum BreakerScript {
    /// ARGV: milliseconds of a probe, of the first wait and of the longest. Reply: 0 open, 1 admitted, 2 probe; milliseconds to wait;
    /// 1 when the engine has refused the service.
    static let admit = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        local v = redis.call('HMGET', KEYS[1], 'ends', 'opened', 'probe', 'refused')
        local ends, opened, probe = tonumber(v[1]) or 0, tonumber(v[2]) or 0, tonumber(v[3]) or 0
        local refused = tonumber(v[4]) or 0
        if ends > now then return { 0, ends - now, refused } end
        if opened == 0 then return { 1, 0, 0 } end
        if probe > now then
          local pending = math.min(tonumber(ARGV[2]) * 2 ^ math.min(opened - 1, 60), tonumber(ARGV[3]))
          return { 0, math.floor(math.min(probe - now, math.min(math.max(pending, 1000), 30000))), refused }
        end
        redis.call('HSET', KEYS[1], 'probe', string.format('%.0f', now + tonumber(ARGV[1])))
        return { 2, 0, 0 }
        """)

    /// ARGV: how it ended; milliseconds of its Retry-After, or -1; jitter from 0 to 1; failures after which it opens; milliseconds of the
    /// first wait, of the longest, and of the one after a refusal. Reply: 0 nothing new, 1 opened, 2 refused, 3 closed.
    static let end = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        local ending, after = ARGV[1], tonumber(ARGV[2])
        local v = redis.call('HMGET', KEYS[1], 'ends', 'opened', 'failures', 'refused')
        local ends, opened, failures = tonumber(v[1]) or 0, tonumber(v[2]) or 0, tonumber(v[3]) or 0
        local refused = tonumber(v[4]) or 0
        if ending == 'answered' then
          if ends > now then
            redis.call('HSET', KEYS[1], 'failures', '0')
            return 0
          end
          redis.call('DEL', KEYS[1])
          return opened > 0 and 3 or 0
        end
        if ending == 'unused' then
          redis.call('HDEL', KEYS[1], 'probe')
          return 0
        end
        local change = 0
        if ending == 'refused' then
          if refused == 0 then change = 2 end
          refused = 1
          opened = math.max(opened, 1)
          ends = math.max(ends, now + tonumber(ARGV[7]))
          redis.call('HDEL', KEYS[1], 'probe')
        else
          failures = failures + 1
          local opens = failures >= tonumber(ARGV[4])
          if opened > 0 then opens = ends <= now end
          if opens then
            opened = opened + 1
            if opened == 1 then change = 1 end
            redis.call('HDEL', KEYS[1], 'probe')
          end
          if after >= 0 then
            ends = math.max(ends, now + after)
          elseif opens then
            local ceiling = math.min(tonumber(ARGV[5]) * 2 ^ math.min(opened - 1, 60), tonumber(ARGV[6]))
            ends = now + math.floor(ceiling * (0.1 + 0.9 * tonumber(ARGV[3])))
          end
        end
        redis.call('HSET', KEYS[1], 'ends', string.format('%.0f', ends), 'opened', string.format('%.0f', opened),
          'failures', string.format('%.0f', failures), 'refused', string.format('%.0f', refused))
        redis.call('PEXPIRE', KEYS[1], string.format('%.0f', math.max(ends - now, 0) + 86400000))
        return change
        """)

    /// Reply: milliseconds until the next call, failures in a row, 1 when the engine has refused the service, times opened.
    static let read = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        local v = redis.call('HMGET', KEYS[1], 'ends', 'failures', 'refused', 'opened')
        return { math.max((tonumber(v[1]) or 0) - now, 0), tonumber(v[2]) or 0, tonumber(v[3]) or 0, tonumber(v[4]) or 0 }
        """)
}
