-- A family of scripts that nobody should hand in. Each is a body in a wrapping; returns a list of { name, text }.

-- Bodies that take time, memory or stack, each tried in every wrapping.
local greedy = {
  loop = "while true do end",
  loop_for = "for i = 1, math.huge do local x = i end",
  loop_goto = "::again:: goto again",
  loop_pcall = "while true do pcall(error, 'no') end",
  loop_pcall_inside = "while true do pcall(function() while true do end end) end",
  loop_clock = "local t = os.clock() while os.clock() - t < 1e9 do end",
  fibonacci = "local function f(n) return n < 2 and n or f(n - 1) + f(n - 2) end f(90)",
  pattern = "(('a'):rep(30000)):find((('.-'):rep(3)) .. 'b')",
  pattern_stars = "local s = ('a'):rep(200) while true do s:match((('a*'):rep(30)) .. 'b') end",
  gsub = "while true do (('x'):rep(1e5)):gsub('.', function(c) return c end) end",
  sort =
    "while true do local t = {} for i = 1, 1e4 do t[i] = i end pcall(table.sort, t, function() return true end) end",
  table_growth = "local t = {} while true do t[#t + 1] = t end",
  table_of_tables = "local t = {} while true do t = { t, {}, {} } end",
  doubling = "local s = 'x' while true do s = s .. s end",
  rep = "local s = ('x'):rep(1e10)",
  rep_many = "local t = {} for i = 1, 1e9 do t[i] = (tostring(i)):rep(1e5) end",
  concat = "local t = {} for i = 1, 1e5 do t[i] = ('y'):rep(1e4) end table.concat(t)",
  unpack = "local t = {} for i = 1, 250 do t[i] = i end while true do t = { table.unpack(t), table.unpack(t) } end",
  unpack_range = "table.unpack({}, 1, 1e8)",
  coroutines = "local t = {} while true do local c = coroutine.create(function() coroutine.yield() end) "
    .. "coroutine.resume(c) t[#t + 1] = c end",
  closures = "local f = print while true do local g = f f = function() return g end end",
  recursion = "local function f() return 1 + f() end f()",
  recursion_pcall = "local function f() pcall(f) return 1 end f()",
  recursion_coroutine = "local function f() return coroutine.wrap(f)() end f()",
  recursion_metatable =
    "local t = setmetatable({}, {}) getmetatable(t).__index = function(u, k) return u[k + 1] end local x = t[1]",
  recursion_tostring = "local t = setmetatable({}, { __tostring = function(u) return tostring(u) end }) print(t)",
  recursion_gsub = "local function f() return (('x'):gsub('.', f)) end f()",
  parentheses = "load('return ' .. ('('):rep(1e6) .. '1' .. (')'):rep(1e6))()",
  endless_reader = "load(function() return 'x = 1 ' end)",
  simulation = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:distance { m:ground { at = { 0, 0 } }, P }
    m:simulate { t = 1e9 }]],
  simulation_small_steps = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:simulate { t = 1, integrator = mbs.rk4 { step = 1e-13 } }]],
  simulation_stiff = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:spring { m:ground { at = { 0, 0 } }, P, stiffness = 1e20, free_length = 0.5 }
    m:simulate { t = 100 }]],
  kinematics = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:driver { P.x, law = function(s) return 1 + s.t end }
    m:driver { P.y, law = function(s) return s.t end }
    m:kinematics { t = 1, points = 2000000000 }]],
  many_points = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, -9.81 } }
    for i = 1, 1e9 do m:point { "P" .. i, at = { i, 0 }, mass = 1 } end]],
  large_law = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:force { on = P, law = function(s)
      local x = s.x
      for i = 1, 1e7 do x = math.sin(x + i) end
      return x, 0
    end }
    m:simulate { t = 1 }]],
  print_forever = "while true do print 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' end",
}

-- Bodies that try what is not theirs; after them the script goes on.
local sneaky = {
  execute = "os.execute('touch ../canary')",
  execute_background = "os.execute('sleep 1000 &')",
  popen = "io.popen('touch ../canary', 'w')",
  exit = "os.exit(0)",
  exit_true = "os.exit(true, true)",
  remove = "os.remove('../canary')",
  rename = "os.rename('../canary', 'mine')",
  tmpname = "print(os.tmpname())",
  tmpfile = "io.tmpfile():write('x')",
  locale = "os.setlocale('de_DE.UTF-8')",
  environment = "print(os.getenv 'PATH')",
  write_above = "io.open('../canary', 'w'):write('gone')",
  append_above = "io.open('../canary', 'a'):write('gone')",
  update_above = "io.open('../canary', 'r+'):write('gone')",
  write_new_above = "io.open('../new_file', 'w'):write('here')",
  write_in_and_out = "require('perilune').make_folder 'sub' io.open('sub/../../new_file', 'w'):write('here')",
  write_through_file = "io.open('my.lua/../../new_file', 'w'):write('here')",
  write_by_link = "io.open('<ROOT>/links/up/new_file', 'w'):write('here')",
  write_by_link_of_process = "io.open('/proc/self/cwd/../new_file', 'w'):write('here')",
  write_by_file_link = "io.open('<ROOT>/links/canary', 'w'):write('gone')",
  write_neighbour = "for _, mode in ipairs { 'w', 'a', 'r+', 'w+b' } do pcall(io.open, '<HERE>/other.lua', mode) end",
  write_script = "io.open('<HERE>/my.lua', 'w'):write('return {}')",
  write_report = "for i = 1, 999 do pcall(io.open, '<ROOT>/reports/' .. i .. '.json', 'w') end",
  write_new_report = "io.open('<ROOT>/reports/new', 'w'):write('here')",
  write_unfinished = "for i = 1, 9 do io.open('<HERE>/.perilune-' .. i .. '-0', 'w') end",
  make_deep_folder = "require('perilune').make_folder(('a/'):rep(2000))",
  make_folders = "for i = 1, 1e4 do require('perilune').make_folder('<HERE>/new' .. i) end",
  write_absolute = "io.open('/tmp/perilune_hostile_canary', 'w'):write('here')",
  write_record = "io.open('.perilune/exercises', 'w'):write('exercise target 4 4 1 0')",
  write_record_json = "require('perilune').write_json('.perilune/exercises', { 4 })",
  write_pipe = "for i = 0, 40 do io.open('/proc/self/fd/' .. i, 'w'):write('dddddddd') end",
  write_pipe_dev = "for i = 3, 9 do local f = io.open('/dev/fd/' .. i, 'wb') if f then f:write('x') f:flush() end end",
  write_stdout_dev = "io.open('/dev/stdout', 'w'):write('{}')",
  write_nul = "io.open('../canary\0.txt', 'w'):write('gone')",
  read_reference = "print(io.open('../data/teacher/target.lua'):read 'a')",
  read_checks = "for line in io.lines('../data/exercises/target/checks.lua') do print(line) end",
  read_memory = "print(io.open('/proc/self/mem', 'rb'):read(100))",
  read_environment = "print(io.open('/proc/self/environ'):read 'a')",
  read_by_link = "print(io.open('<ROOT>/links/up/canary'):read 'a')",
  read_by_link_of_process = "print(io.open('/proc/self/cwd/../canary'):read 'a')",
  read_root = "print(io.open('/proc/self/root<ROOT>/canary'):read 'a')",
  read_through_file = "print(io.open('my.lua/../../canary'):read 'a')",
  read_folder = "for _, name in ipairs { '', '.', '..', '/', '<HERE>' } do print(io.open(name):read 'a') end",
  read_neighbour = "print(io.open('<HERE>/other.lua'):read 'a')",
  read_neighbour_lines = "for line in io.lines('<HERE>/other.lua', 'a') do print(line) end",
  read_neighbour_to_write = "print(io.open('<HERE>/other.lua', 'r+'):read 'a')",
  read_neighbour_mat = "require('perilune').read_mat '<HERE>/other.lua'",
  read_number = "print(io.open(1), io.lines(1))",
  neighbour_dofile = "return dofile 'other.lua'",
  neighbour_dofile_absolute = "return dofile '<HERE>/other.lua'",
  neighbour_loadfile = "return (loadfile 'other.lua' or loadfile '<HERE>/other.lua')()",
  neighbour_environment = "return loadfile('<HERE>/other.lua', 'bt', _G)()",
  neighbour_require = "return require 'other'",
  neighbour_require_path = "return require '<HERE>/other'",
  neighbour_preload = "package = { preload = {}, path = '<HERE>/?.lua' } return require 'other'",
  neighbour_searchers = "for _, find in ipairs(require 'package'.searchers) do print(find 'other') end",
  -- Reports quote the line where an error is.
  quoted_position = "error('<HERE>/other.lua:1: what stands there?', 0)",
  quoted_relative = "error('../canary:1: what stands there?', 0)",
  quoted_chunk = "load(\"error 'what stands there?'\", '@<HERE>/other.lua')()",
  quoted_chunk_of_law = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, 0 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:force { on = P, law = load("local s = ... return s.what, 0", "@<HERE>/other.lua") }]],
  quoted_syntax = "assert(load('local local', '@<HERE>/other.lua'))",
  quoted_object = "error(setmetatable({}, { __tostring = function() return '<HERE>/other.lua:1: what?' end }))",
  quoted_coroutine = "coroutine.wrap(load(\"error 'what stands there?'\", '@<HERE>/other.lua'))()",
  input = "io.input('/etc/passwd') print(io.read 'a')",
  output = "io.output('../canary') io.write 'gone'",
  dofile = "return dofile('../data/teacher/target.lua')",
  loadfile = "return loadfile('../data/teacher/target.lua')()",
  require_reference = "package = { path = '../data/teacher/?.lua' } return require 'target'",
  require_path = "return require '../data/teacher/target'",
  require_dots = "return require '..data.teacher.target'",
  require_debug = "require('debug').sethook()",
  require_exercise = "require('exercise').judge = function() return {} end",
  require_ffi = "require('ffi').C.system('touch ../canary')",
  loadlib = "package.loadlib('/lib/x86_64-linux-gnu/libc.so.6', 'system')",
  searchers = "package.searchers[3] = function() end",
  debug_registry = "debug.getregistry()",
  debug_upvalue = "debug.setupvalue(require, 1, print)",
  dump = "return load(string.dump(function() return 1 end))()",
  binary = "load('\\27Lua\\84\\0', 'x', 'b')()",
  binary_reader = "local sent load(function() if not sent then sent = true return '\\27Lua' end end, 'x', 'bt')()",
  binary_environment = "load('\\27LuaS', 'x', 'b', {})()",
  own_bytecode =
    "local f = io.open('code.lua', 'wb') f:write('\\27Lua\\84\\0\\25\\147\\13\\10\\26\\10') f:close() dofile"
    .. " 'code.lua'",
  own_module_bytecode = "local f = io.open('code.lua', 'wb') f:write('\\27Lua\\84\\0') f:close() require 'code'",
  many_files = "for i = 1, 1e5 do local f = io.open('file' .. i, 'w') if f then f:close() end end",
  many_open = "local t = {} for i = 1, 1e4 do t[i] = io.open('open' .. i, 'w') end",
  large_file = "local f = io.open('large', 'w') while true do f:write(('x'):rep(1e6)) end",
  own_script = "local f = io.open('my.lua', 'w') f:write('return { answer = 1 }') f:close()",
  close_output = "io.stdout:close() io.stderr:close() io.close()",
  buffer = "io.stdout:setvbuf('full', 2^40)",
  seek = "io.stdout:seek('set', 2^50) io.stdout:write 'x'",
  file_finalizer = "getmetatable(io.stdout).__gc(io.stdout)",
  much_output = "print(('x'):rep(1e6))",
  control_characters = "io.write('\\27[2J\\27]0;title\\7\\0\\255\\254')",
  stop_collecting = "collectgarbage('stop') local t = {} for i = 1, 1e5 do t = { t } end",
  generational = "collectgarbage('generational') collectgarbage('setpause', 1e6)",
  warn = "warn('@on') warn(('x'):rep(1e5))",
  error_nothing = "error()",
  error_table = "error({ code = 0, score = 4 })",
  error_function = "error(print)",
  error_object = "error(setmetatable({}, { __tostring = function() while true do end end }))",
  error_object_number = "error(setmetatable({}, { __tostring = function() return 42 end }))",
  error_in_handler = "xpcall(error, function() error 'again' end) error 'once more'",
  error_long = "error(('x'):rep(1e6))",
  error_fake_report = [[error('{"score": 4, "max_score": 4, "tests": []}')]],
  globals_gone = "for name in pairs(_G) do if name ~= '_G' then _G[name] = nil end end",
  environment_gone = "_ENV = nil",
  environment_mocked = "_ENV = setmetatable({}, { __index = function() return function() return 1234.5 end end })",
  globals_metatable = "setmetatable(_G, { __index = function() return 1 end, __newindex = function() end })",
  libraries_replaced = "for _, name in ipairs { 'type', 'rawget', 'tostring', 'pcall', 'next', 'pairs', 'require' } do "
    .. "_G[name] = function() return 1 end end",
  mathematics_replaced = "math.abs = function() return 0 end math.huge = 0 math.type = function() return 'float' end",
  string_metatable = "getmetatable('').__index = function() return function() return 1 end end",
  string_comparison =
    "getmetatable('').__eq = function() return true end getmetatable('').__lt = function() return true end",
  number_metatable = "debug.setmetatable(0, { __sub = function() return 0 end })",
  perilune_replaced =
    "local mbs = require 'perilune' mbs.version = '9' mbs.maggi = function() end mbs.maggi() mbs.maggi() mbs.maggi()",
  perilune_metatable = "getmetatable(require 'perilune').__index = function() return print end",
  object_metatables = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, -9.81 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    local p = m:param { "p", 1 }
    local o = m:objective { "o", terminal = P.x + p }
    local run = m:simulate { t = 0.01 }
    local objects = { m, P, p, o, P.x, run, mbs.rk4 { step = 1 }, m.ground, io.stdout, {}, "x", 1 }
    for _, object in ipairs(objects) do
      for name, method in pairs(getmetatable(object) or {}) do
        for _, other in ipairs(objects) do
          if name ~= "__gc" then pcall(method, other, object, other) end
        end
      end
    end
    for _, object in ipairs(objects) do
      local meta = getmetatable(object)
      if type(meta) == "table" and meta.__gc then
        for _ = 1, 3 do pcall(meta.__gc, object) end
      end
      for _, name in ipairs { "x", "value", "name", "mass", "times" } do pcall(function() return object[name] end) end
      pcall(tostring, object)
    end
    collectgarbage()]],
  object_metatable = "local mbs = require 'perilune' local P = mbs.model { gravity = { 0, 0 } }:point { 'P', at = { 0, 0 }, mass = 1 } "
    .. "getmetatable(P).__gc(P)",
  model_metatable = "local m = require('perilune').model { gravity = { 0, 0 } } setmetatable(m, {})",
  given_changed = "require('given').x = 0",
  yield_outside = "coroutine.yield(1)",
  close_itself = "coroutine.close(coroutine.running())",
  dead_coroutine =
    "local c = coroutine.create(error) coroutine.resume(c) coroutine.close(c) coroutine.wrap(function() error {}"
    .. " end)()",
  string_format = "string.format('%99999999d', 1)",
  utf8_bomb = "utf8.char(table.unpack({}, 1, 100))",
  tracing_escape = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, 0 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    local kept
    m:force { on = P, law = function(s) kept = s return s.x, 0 end }
    print(kept.x, kept.y, kept)
    m:simulate { t = 1 }]],
  tracing_effects = [[local mbs = require "perilune"
    local m = mbs.model { gravity = { 0, 0 } }
    local P = m:point { "P", at = { 1, 0 }, mass = 1 }
    m:force { on = P, law = function(s) io.open('../canary', 'w') coroutine.yield() return s.x, 0 end }
    m:simulate { t = 1 }]],
}

-- perilune's own functions that write files, each to several places that are not the script's.
local model = [[local mbs = require "perilune"
local m = mbs.model { gravity = { 0, -9.81 } }
local v = m:param { "v", 3, min = 0, max = 20 }
local P = m:point { "P", at = { 0, 0 }, velocity = { v, 5 }, mass = 1 }
local run = m:simulate { t = 0.1 }
]]
local sweep = [[local found = mbs.sweep { m:objective { terminal = P.x }, over = { v }, t = 0.1,
  design = mbs.grid { 3 } }
found:]]
local writers = {
  ["run:csv"] = "run:csv(%q)", ["run:json"] = "run:json(%q)", ["run:svg"] = "run:svg(%q)",
  ["run:gnuplot"] = "run:gnuplot(%q)", ["run:view"] = "run:view(%q)", ["run:vtk"] = "run:vtk(%q .. '.pvd')",
  ["run:movie"] = "run:movie(%q .. '.gif')",
  ["model:sketch"] = "m:sketch { %q }", ["model:sketch of a run"] = "m:sketch { file = %q, run = run }",
  ["mbs.compare"] = "mbs.compare { %q, run, run }", ["mbs.write_json"] = "mbs.write_json(%q, { 1 })",
  ["run:mat"] = "run:mat(%q)",
  ["mbs.write_mat"] = "mbs.write_mat(%q, { a = 1 })", ["mbs.read_mat"] = "print(mbs.read_mat(%q))",
  ["mbs.read_csv"] = "print(mbs.read_csv(%q))", ["mbs.read_json"] = "print(mbs.read_json(%q))",
  ["model:export"] = "mbs.model { gravity = { 0, 0, -9.81 } }:export(%q .. '.xml')",
  ["mbs.read"] = "print(mbs.read(%q))", ["mbs.mesh"] = "print(mbs.mesh { %q, density = 1 })",
  ["mbs.make_folder"] = "mbs.make_folder(%q)", ["sweep:svg"] = sweep .. "svg(%q)", ["sweep:csv"] = sweep .. "csv(%q)",
  ["sweep:json"] = sweep .. "json(%q)", ["mbs.chart"] = "mbs.chart { %q, curves = { { 'c', x = { 1, 2 }, y = { 1, 2 } } } }",
  ["optimum:convergence"] = "local miss = m:objective { terminal = (P.x - 1)^2 }\n"
    .. "m:optimize { minimize = miss, t = 0.1, optimizer = mbs.lbfgsb { max_evaluations = 2 } }:convergence(%q)",
  ["optimum:page"] = "local miss = m:objective { terminal = (P.x - 1)^2 }\n"
    .. "m:optimize { minimize = miss, t = 0.1, optimizer = mbs.lbfgsb { max_evaluations = 2 } }:page(%q)",
  ["model:optimize"] = "local miss = m:objective { terminal = (P.x - 1)^2 }\n"
    .. "m:optimize { minimize = miss, t = 0.1, optimizer = mbs.lbfgsb { max_evaluations = 2 }, job = %q }",
  ["fit:chart"] = "local q = m:param { 'q', 0 }\n"
    .. "m:fit { data = { t = { 0.05, 0.1 }, x = { 1, 1.1 } }, signals = { { 'x', P.x + q } }, over = { q } }:chart(%q)",
  ["fit:correlation_chart"] = "local q, w = m:param { 'q', 0 }, m:param { 'w', 0 }\n"
    .. "m:fit { data = { t = { 0.02, 0.05, 0.1 }, x = { 1, 1.1, 1.3 } }, "
    .. "signals = { { 'x', P.x + q + w } }, over = { q, w } }:correlation_chart(%q)",
  ["linearization:animate"] = "m:spring { m:ground { at = { 0, 1 } }, P, stiffness = 50, free_length = 0.8 }\n"
    .. "m:equilibrium {}\nm:linearize {}:animate(%q, 1)",
  ["front:chart"] = "local q = m:param { 'q', 1, min = 0, max = 2 }\n"
    .. "m:pareto { minimize = { { 'a', q^2 }, { 'b', (q - 1)^2 } }, over = { q }, points = 3, t = 0.1 }:chart(%q)",
}
local places = { above = "../new_file", canary = "../canary", link = "<ROOT>/links/up/new_file",
                 hidden = ".perilune/exercises", process = "/proc/self/fd/3", neighbour = "<HERE>/other.lua",
                 report = "<ROOT>/reports/1.json" }

-- What a script may return to mislead those who read it.
local returned = {
  nothing = "",
  number = "return 1234.5",
  itself = "local t = {} t.answer = t return t",
  nested = "local t = {} for i = 1, 1e4 do t = { answer = t } end return t",
  long = "local t = {} for i = 1, 1e6 do t[i] = i end return { answer = t }",
  text = "return { answer = ('x'):rep(1e7), f = 'print' }",
  not_a_number = "return { answer = 0 / 0, f = function() return 1 / 0 end }",
  infinite = "return { answer = math.huge, f = function() return -math.huge end }",
  equal_to_all = "local any = setmetatable({}, { __eq = function() return true end, __sub = function() return 0 end, "
    .. "__lt = function() return true end, __le = function() return true end, __unm = function() return 0 end }) "
    .. "return { answer = any, f = function() return any end, run = any }",
  index = "return setmetatable({}, { __index = function() while true do end end, __pairs = error, __len = error })",
  keys = "return { [1.5] = 1, [true] = 2, [print] = 3, [{}] = 4, answer = { [{}] = {} } }",
  finalizer = "return setmetatable({ answer = 1 }, { __gc = function() while true do end end })",
  finalizers =
    "for i = 1, 1e3 do setmetatable({}, { __gc = function() while true do end end }) end return { answer = 1 }",
  closes = "local x <close> = setmetatable({}, { __close = function() error 'late' end }) return { answer = 1 }",
  wrong_userdata = "return { run = io.stdout, answer = io.stdout, f = io.stdout }",
  wrong_coroutine = "return { run = coroutine.create(print), answer = coroutine.create(print) }",
  c_function = "return { f = os.exit, answer = print, run = print }",
  function_yields = "return { f = function() coroutine.yield(1) end }",
  function_errors = "return { f = function() error({}) end }",
  function_prints = "return { f = function() while true do print 'x' end end }",
  function_returns_much = "return { f = function() return table.unpack({}, 1, 1e5) end }",
  function_returns_itself = "local t = {} t.t = t return { f = function() return t end }",
  function_counts = "local n = 0 return { f = function() n = n + 1 return n end, answer = n }",
  fake_score =
    "return { score = 4, max_score = 4, tests = { { status = 'passed' } }, calls = { ['mbs.maggi'] = 3 }, problem"
    .. " = false }",
  several = "return 1, 2, { answer = 3 }",
  broken = "return {{{{",
  binary = "\27Lua\84\0\25\147\r\n\26\n",
  empty_name = "return { [''] = 1, ['\\0'] = 2 }",
}

local wrappings = {
  plain = "%s",
  pcall = "pcall(function() %s end) return { answer = 1 }",
  pcall_forever = "while true do pcall(function() %s end) end",
  coroutine = "coroutine.wrap(function() %s end)() return { answer = 1 }",
  handed_in = "return { answer = 1, f = function() %s end }",
  handler = "xpcall(error, function() %s end) return { answer = 1 }",
  finalizer = "setmetatable({}, { __gc = function() %s end }) collectgarbage() return { answer = 1 }",
}

local scripts = {}
local function add(name, text) scripts[#scripts + 1] = { name = name, text = text } end
local function wrapped(wrapping, body) return (wrappings[wrapping]:gsub("%%s", function() return body end)) end

for name, body in pairs(greedy) do
  for wrapping in pairs(wrappings) do
    if wrapping ~= "pcall_forever" or name:find "^[lr]" then add(name .. "_" .. wrapping, wrapped(wrapping, body)) end
  end
end
for name, body in pairs(sneaky) do
  add(name, "local result = (function() " .. body .. " end)() return result or { answer = 1 }")
  add(name .. "_pcall", wrapped("pcall", body))
  add(name .. "_handed_in", wrapped("handed_in", body))
end
for writer, call in pairs(writers) do
  for place, path in pairs(places) do
    add("writer " .. writer .. " " .. place, model .. call:format(path) .. "\nreturn { answer = 1, run = run }")
  end
end
for name, text in pairs(returned) do add("returns_" .. name, text) end
table.sort(scripts, function(a, b) return a.name < b.name end)

return { scripts = scripts, writers = writers }
