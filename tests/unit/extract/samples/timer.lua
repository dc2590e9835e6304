#!/usr/bin/env lua
-- What waits.
local Timer = {}
Timer.__index = Timer

local limits = {
  least = 1,
  most = 64,
}

--[[ Makes
     one. ]]
function Timer.new(delay, action)
  local self = setmetatable({}, Timer)
  self.delay = delay -- in seconds
  self.action = action or print
  return self
end

function Timer:tick(passed,
                    ...)
  for _ = 1, passed do
    if self.delay <= limits.least and
       self.action then
      self.action("done", self.delay, ...)
    elseif self.delay > limits.most then
      return nil
    else
      self.delay = self.delay - 1
    end
  end
  each({ ... }, function(one)
    log(one, 'tick', [[
      a long one]])
  end, "all",
  true)
end

local function double(x) return x * 2 end

Timer.stop = function(self)
  self.delay = 0
end

local handlers = {
  start = function()
    return double(2)
  end,
}

return Timer
