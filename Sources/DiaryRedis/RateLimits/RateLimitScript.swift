/// The Lua scripts of the rate limiter: GCRA, fixed windows and backoffs for a list of policies in one atomic step.
enum RateLimitScript {
    /// Checks all policies, then charges all or none. The arithmetic is that of `PolicyArithmetic.outcome`.
    ///
    /// ARGV: calls wanted at once, calls charged before and not used, then per key: kind (0 rate, 1 quota, 2 backoff), capacity, period
    /// and longest wait in seconds. Beyond the first call at most an eighth of the remaining calls is charged, so that counting is exact
    /// near the limit; a backoff is charged one call at a time. Reply: calls charged, then per key: allowed, remaining, reset, retry-after.
    static let charge = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] + t[2] / 1000000
        local eps = 1e-6
        local all = true
        local charged = tonumber(ARGV[1])
        local returned = tonumber(ARGV[2])
        local limits = {}
        for i, key in ipairs(KEYS) do
          local s = {
            kind = ARGV[i * 4 - 1], cap = tonumber(ARGV[i * 4]), per = tonumber(ARGV[i * 4 + 1]), most = tonumber(ARGV[i * 4 + 2])
          }
          local mark = redis.call('GET', key)
          if s.kind == '0' then
            s.tat = math.max((tonumber(mark or '') or now) - returned * s.per, now)
            s.wait = s.tat + s.per - now - s.cap * s.per
            s.ok = s.cap > 0 and s.wait <= eps
            s.free = math.floor((s.cap * s.per - (s.tat - now) + eps) / s.per)
          elseif s.kind == '2' then
            local count, ends = string.match(mark or '', '^(%d+) (%d+)$')
            s.used = tonumber(count) or 0
            s.ends = (tonumber(ends) or 0) / 1000
            s.ok = s.used < s.cap or s.ends - now <= eps
            s.free = 1
          else
            s.start = math.floor(now / s.per) * s.per
            local start, count = string.match(mark or '', '^(%d+) (%d+)$')
            s.used = tonumber(start) == s.start and math.max(0, tonumber(count) - returned) or 0
            s.left = math.max(1, math.ceil(s.start + s.per - now))
            s.ok = s.used < s.cap
            s.free = s.cap - s.used
          end
          all = all and s.ok
          charged = math.max(1, math.min(charged, math.floor(s.free / 8)))
          limits[i] = s
        end
        local reply = { charged }
        for i, key in ipairs(KEYS) do
          local s = limits[i]
          local remaining, reset, retry
          if s.kind == '0' then
            if all then s.tat = s.tat + s.per * charged end
            if all or returned > 0 then
              local ms = math.min(math.ceil((s.tat - now) * 1000) + 1000, 1e14)
              redis.call('SET', key, string.format('%.6f', s.tat), 'PX', string.format('%.0f', ms))
            end
            remaining = math.floor((s.cap * s.per - (s.tat - now) + eps) / s.per)
            reset = math.ceil(s.tat - now - eps)
            retry = s.ok and 0 or math.max(1, math.ceil(s.cap > 0 and s.wait or s.per))
          elseif s.kind == '2' then
            if all then
              s.used = math.min(s.used + 1, 1000000)
              local wait = 0
              if s.used >= s.cap then wait = math.min(s.per * 2 ^ math.min(s.used - s.cap, 60), s.most) end
              s.ends = now + wait
              local ttl = math.min(math.ceil(wait) + 3600, 1e11)
              redis.call('SET', key, string.format('%.0f %.0f', s.used, math.floor(s.ends * 1000)), 'EX', string.format('%.0f', ttl))
            end
            remaining = s.cap - s.used
            reset = math.ceil(s.ends - now - eps)
            retry = s.ok and 0 or math.max(1, reset)
          else
            if all then s.used = s.used + charged end
            if all or returned > 0 then
              local ttl = math.min(s.left + 1, 1e11)
              redis.call('SET', key, string.format('%.0f %.0f', s.start, s.used), 'EX', string.format('%.0f', ttl))
            end
            remaining = s.cap - s.used
            reset = s.left
            retry = s.ok and 0 or s.left
          end
          for _, n in ipairs({ s.ok and 1 or 0, math.max(0, remaining), math.max(0, reset), retry }) do
            reply[#reply + 1] = math.min(n, 1e15)
          end
        end
        return reply
        """)

    /// Refunds one call of each key. The arithmetic is that of `PolicyArithmetic.refunded`.
    ///
    /// ARGV per key: kind, and period in seconds. A key without a mark, and a quota of an earlier window, stay as they are. Reply: the
    /// number of keys refunded.
    static let refund = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] + t[2] / 1000000
        local refunded = 0
        for i, key in ipairs(KEYS) do
          local kind, per = ARGV[i * 2 - 1], tonumber(ARGV[i * 2])
          local mark = redis.call('GET', key) or ''
          if kind == '0' then
            local tat = tonumber(mark)
            if tat then
              tat = math.max(now, tat - per)
              local ms = math.min(math.ceil((tat - now) * 1000) + 1000, 1e14)
              redis.call('SET', key, string.format('%.6f', tat), 'PX', string.format('%.0f', ms))
              refunded = refunded + 1
            end
          else
            local first, second = string.match(mark, '^(%d+) (%d+)$')
            first, second = tonumber(first), tonumber(second)
            if kind == '2' and first then
              local ends = math.min(second / 1000, now)
              local ttl = math.max(1, math.ceil(ends - now) + 3600)
              local value = string.format('%.0f %.0f', math.max(0, first - 1), math.floor(ends * 1000))
              redis.call('SET', key, value, 'EX', string.format('%.0f', ttl))
              refunded = refunded + 1
            elseif kind == '1' and first == math.floor(now / per) * per then
              local ttl = math.min(math.max(1, math.ceil(first + per - now)) + 1, 1e11)
              redis.call('SET', key, string.format('%.0f %.0f', first, math.max(0, second - 1)), 'EX', string.format('%.0f', ttl))
              refunded = refunded + 1
            end
          end
        end
        return refunded
        """)
}
