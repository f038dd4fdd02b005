-- What wrk sends: the share of changes is the first argument, the number of people the second. Prints one JSON object.

local threads = {}

function setup(thread)
  thread:set("id", #threads)
  table.insert(threads, thread)
end

function init(args)
  share, people = tonumber(args[1]), tonumber(args[2])
  plain = args[3] == "plain"
  statuses = {}
  math.randomseed(os.time() + id * 7919)
  headers = { ["Content-Type"] = "application/json" }
end

function request()
  if plain then return wrk.format("GET", "/healthz") end
  local who = math.random(0, people - 1)
  local kind = math.random()
  if kind < share then
    local body = string.format('{"params":{"n":"p%d","a":%d}}', who, math.random(1, 99))
    return wrk.format("POST", "/queries/set_age", headers, body)
  end
  local name = kind < share + 0.1 and "friends" or "person"
  return wrk.format("POST", "/queries/" .. name, headers, string.format('{"params":{"n":"p%d"}}', who))
end

function response(status)
  statuses[status] = (statuses[status] or 0) + 1
end

function done(summary, latency)
  local total = {}
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get("statuses")) do
      total[status] = (total[status] or 0) + count
    end
  end
  local parts = {}
  for status, count in pairs(total) do
    table.insert(parts, string.format('"%d":%d', status, count))
  end
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f,"max":%.3f,"broken":%d,"statuses":{%s}}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency.max / 1e3, errors.connect + errors.read + errors.write + errors.timeout, table.concat(parts, ",")))
end
