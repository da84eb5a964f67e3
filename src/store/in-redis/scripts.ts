/**
 * What must happen in Redis as one step. All keys share the braces of the prefix, so that they lie in one slot of a
 * cluster; `P` is that prefix.
 *
 *     P:schema                  version of this layout
 *     P:reading:<id>            hash: series → reading, JSON
 *     P:readings:<series>       sorted by time: ids
 *     P:profile:<id>|<series>   the bytes of a profile
 *     P:profiles                sorted by time: <id>|<series>, what goes first when there is no room
 *     P:profiles:<series>       sorted by time: ids
 *     P:profiles-of:<id>        set: <id>|<series>
 *     P:profile-bytes           hash: <id>|<series> → what it counts towards the budget
 *     P:totals                  hash: profileBytes, readingBytes, readingCount
 *     P:digests                 hash: digest → state, JSON
 *
 * A series is kind|target|subject; only a subject may hold a bar.
 */
const COMMON = `
local P = ARGV[1]

local function total(field)
  return tonumber(redis.call('HGET', P .. ':totals', field) or '0')
end

local function drop_profile(member)
  local bytes = redis.call('HGET', P .. ':profile-bytes', member)
  if not bytes then return 0 end
  local id, series = string.match(member, '^([^|]*)|(.*)$')
  redis.call('UNLINK', P .. ':profile:' .. member)
  redis.call('ZREM', P .. ':profiles', member)
  redis.call('ZREM', P .. ':profiles:' .. series, id)
  redis.call('SREM', P .. ':profiles-of:' .. id, member)
  redis.call('HDEL', P .. ':profile-bytes', member)
  redis.call('HINCRBY', P .. ':totals', 'profileBytes', -tonumber(bytes))
  return 1
end

local function drop_older_than(micros)
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', P .. ':profiles', '-inf', '(' .. micros)) do
    drop_profile(member)
  end
end

-- Drops the oldest profiles until so many bytes fit; false, and nothing dropped, when they never will.
local function make_room(need, budget)
  if total('readingBytes') + need > budget then return false end
  while total('readingBytes') + total('profileBytes') + need > budget do
    local oldest = redis.call('ZRANGE', P .. ':profiles', 0, 0)[1]
    if not oldest or drop_profile(oldest) == 0 then return false end
  end
  return true
end

local function drop_reading(id, series)
  local old = redis.call('HGET', P .. ':reading:' .. id, series)
  if not old then return 0 end
  redis.call('HDEL', P .. ':reading:' .. id, series)
  redis.call('ZREM', P .. ':readings:' .. series, id)
  redis.call('HINCRBY', P .. ':totals', 'readingBytes', -#old)
  redis.call('HINCRBY', P .. ':totals', 'readingCount', -1)
  return 1
end
`;

/** ARGV: prefix, id, series, time, JSON, budget. Answers 1, or 0 when it does not fit. */
export const KEEP_READING = `${COMMON}
local id, series, at, json, budget = ARGV[2], ARGV[3], ARGV[4], ARGV[5], tonumber(ARGV[6])
if not make_room(#json, budget) then return 0 end
drop_reading(id, series)
redis.call('HSET', P .. ':reading:' .. id, series, json)
redis.call('ZADD', P .. ':readings:' .. series, at, id)
redis.call('HINCRBY', P .. ':totals', 'readingBytes', #json)
redis.call('HINCRBY', P .. ':totals', 'readingCount', 1)
return 1`;

/** ARGV: prefix, id, series, time, bytes, budget, oldest time to keep, time in seconds when it expires. */
export const KEEP_PROFILE = `${COMMON}
local id, series, at, bytes = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local member = id .. '|' .. series
drop_older_than(ARGV[7])
if not make_room(#bytes, tonumber(ARGV[6])) then return 0 end
drop_profile(member)
redis.call('SET', P .. ':profile:' .. member, bytes, 'EXAT', ARGV[8])
redis.call('ZADD', P .. ':profiles', at, member)
redis.call('ZADD', P .. ':profiles:' .. series, at, id)
redis.call('SADD', P .. ':profiles-of:' .. id, member)
redis.call('HSET', P .. ':profile-bytes', member, #bytes)
redis.call('HINCRBY', P .. ':totals', 'profileBytes', #bytes)
return 1`;

/** ARGV: prefix, id. Answers how many readings and profiles there were. */
export const FORGET = `${COMMON}
local id, readings, profiles = ARGV[2], 0, 0
for _, series in ipairs(redis.call('HKEYS', P .. ':reading:' .. id)) do
  readings = readings + drop_reading(id, series)
end
for _, member in ipairs(redis.call('SMEMBERS', P .. ':profiles-of:' .. id)) do
  profiles = profiles + drop_profile(member)
end
return {readings, profiles}`;

/** ARGV: prefix, oldest time to keep. Answers readings, profiles, bytes, and the time of the oldest profile. */
export const SIZE = `${COMMON}
drop_older_than(ARGV[2])
local oldest = redis.call('ZRANGE', P .. ':profiles', 0, 0, 'WITHSCORES')
return {
  total('readingCount'),
  redis.call('HLEN', P .. ':profile-bytes'),
  total('readingBytes') + total('profileBytes'),
  oldest[2] or ''
}`;

/** ARGV: prefix, digest, JSON. Answers 1. */
export const KEEP_DIGEST = `
redis.call('HSET', ARGV[1] .. ':digests', ARGV[2], ARGV[3])
return 1`;
