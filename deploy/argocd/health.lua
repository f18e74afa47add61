-- What Argo CD shows of tenantplane's kinds. Statuses are kstatus': what is read here is what Flux and kubectl wait for.
-- What is being deleted Argo CD calls Progressing by itself, without asking.
-- Argo CD runs this without Lua's standard libraries: no string.*, table.*, os.*; ipairs is there.
local function health(status, message)
  return { status = status, message = message or "" }
end

-- Nobody waits for these: profiles and policies are read, and decisions record what was, refusals among it.
if obj.kind ~= "TenantCluster" then
  return health("Healthy")
end

local status = obj.status
if status == nil or status.observedGeneration == nil then
  return health("Progressing", "No reconciler has seen it yet")
end
if status.observedGeneration ~= obj.metadata.generation then
  return health("Progressing", "The reconciler has not seen this spec yet")
end

local conditions = {}
for _, condition in ipairs(status.conditions or {}) do
  conditions[condition.type] = condition
end
local function is(type, value)
  return conditions[type] ~= nil and conditions[type].status == value
end
local function say(type)
  local condition = conditions[type]
  if condition == nil then return nil end
  if condition.message == nil or condition.message == "" then return condition.reason end
  return (condition.reason or type) .. ": " .. condition.message
end

if is("Paused", "True") then
  return health("Suspended", say("Paused"))
end
if is("Stalled", "True") then
  return health("Degraded", say("Stalled"))
end
-- it was ready once, and something of it is not as it should be: also where the reconciler is mending it
if status.phase == "Degraded" then
  return health("Degraded", say("Ready"))
end
if is("Reconciling", "True") then
  return health("Progressing", say("Reconciling"))
end
if is("Ready", "True") then
  return health("Healthy", say("Ready"))
end
-- kstatus calls this in progress; but nothing is under way, so somebody has to look
if is("Ready", "False") then
  return health("Degraded", say("Ready"))
end
return health("Progressing", say("Ready") or "It has no condition Ready yet")
