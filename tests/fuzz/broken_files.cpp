// SPDX-License-Identifier: MIT
// Scripts that write a file, break it, and have it read: each kind of file that the program reads.
#include "scripts.hpp"
#include "values.hpp"

namespace perilune::fuzz {

namespace {

constexpr const char* prelude = R"(local mbs = require "perilune"
local function try(what, action)
  local ok, message = pcall(action)
  if ok then return end
  message = tostring(message)
  if message:find "bad binary format" then return end -- compiled code has no lines
  if not message:find ":%d+:" then print("fuzz: fault: no line: " .. what .. ": " .. message) end
end
local function read(name)
  local file = assert(io.open(name, "rb"))
  local bytes = file:read "a"
  file:close()
  return bytes
end
local function write(name, bytes)
  local file = assert(io.open(name, "wb"))
  file:write(bytes)
  file:close()
end
local function place(bytes, part) return math.floor(part * #bytes) + 1 end
)";

std::string part_of(Random& random) { return plain_number(random, 0, 1); }

/// Statements that change the local `bytes`.
std::string damage(Random& random, bool is_text) {
  std::string text;
  const std::size_t count = 1 + random.below(4);
  for (std::size_t i = 0; i < count; ++i) {
    text += "do local at = place(bytes, " + part_of(random) + ")\n";
    switch (random.below(is_text ? 7 : 6)) {
      case 0:
        text += "bytes = bytes:sub(1, at)";
        break;
      case 1:
        text += "bytes = bytes:sub(1, at - 1) .. " + random_string(random, 8) + " .. bytes:sub(at)";
        break;
      case 2:
        text += "bytes = bytes:sub(1, at - 1) .. " + random_string(random, 8) + " .. bytes:sub(at + " +
                std::to_string(random.below(9)) + ")";
        break;
      case 3:
        text += "bytes = bytes:sub(1, at) .. bytes:sub(place(bytes, " + part_of(random) + "))";
        break;
      case 4:  // a whole number, as lengths and types are, at a place where one may be
        text += "at = at - (at - 1) % 4 bytes = bytes:sub(1, at - 1) .. string.pack(\"<I4\", " +
                std::string(random.pick({"0",  "1",          "2",          "3",          "5",          "6",
                                         "7",  "9",          "13",         "14",         "15",         "16",
                                         "17", "18",         "0xffffffff", "0x7fffffff", "0x80000000", "0x10000",
                                         "8",  "0x00010006", "0xfffffff8"})) +
                ") .. bytes:sub(at + 4)";
        break;
      case 5:
        text += "bytes = bytes:sub(1, at - 1) .. bytes:sub(at + " + std::to_string(random.below(30)) + ")";
        break;
      default:
        text += "bytes = bytes:gsub(" +
                std::string(random.pick({"'%d+'", "':'", "'{'", "'}'", "'\"%a+\"'", "','", "'%[?%d'", "'\\n'"})) +
                ", " +
                random.pick({"'1e999'", "'-1'", "''", "'{'", "'[[[['", "'\"'", "'null'", "'1e'", "'\\\\u12'", "'nan'",
                             "'99999999999999999999'", "'18446744073709551616'", "'0.5'", "'\\0'", "'{\"job\":1}'"}) +
                ", " + std::to_string(1 + random.below(3)) + ")";
    }
    text += " end\n";
  }
  return text;
}

std::string broken_mat(Random& random) {
  std::string text = "mbs.write_mat(\"a.mat\", { k = " + extreme_number(random) +
                     ", t = {1, 2, 3}, A = {{1, 2}, {3, 4}}, text = " + random_string(random, 6) + " })\n";
  text += "local bytes = read \"a.mat\"\n";
  if (random.chance(0.3)) {  // other types of numbers, which GNU Octave writes to save room
    text +=
        "bytes = bytes:gsub(string.pack(\"<I4\", 9), string.pack(\"<I4\", " + std::to_string(random.below(20)) + "))\n";
  }
  text += damage(random, false);
  return text +
         "write(\"a.mat\", bytes)\ntry(\"read_mat\", function() local found = mbs.read_mat \"a.mat\" "
         "mbs.write_json(\"a.json\", found) end)\n";
}

std::string broken_jobs(Random& random) {
  return R"(local m = mbs.model { gravity = {0, -9.81} }
local L = m:param { "L", 1, min = 0.5, max = 2 }
local P = m:point { "P", at = {L, 0}, mass = 1 }
local height = m:objective { "height", integral = function() return P.y^2 end }
local function sweep()
  return mbs.sweep { height, over = { L }, design = mbs.list { {1}, {2}, {1.5} }, t = 0.1)" +
         std::string(random.chance(0.5) ? ", method = mbs.adjoint {}" : "") + R"( }
end
sweep()
local bytes = read "jobs.jsonl"
bytes = bytes:gsub('"sweep":1', '"sweep":2')
)" + damage(random, true) +
         R"(write("jobs.jsonl", bytes)
try("sweep", function() local found = sweep() for _, row in ipairs(found) do print(row.values and row.values.height) end end)
local merge = rawget(_G, "merge")
if merge then try("merge", function() merge "jobs.jsonl" end) end
)";
}

std::string list_of(Random& random, std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) {
    const bool wild = random.chance(0.15);
    text += (i ? ", " : "") + (wild ? extreme_number(random) : std::to_string(i));
  }
  return text + "}";
}

std::string broken_tables(Random& random) {
  const std::size_t n = random.below(7), k = random.below(7);
  std::string text = "try(\"spline\", function() local f = mbs.spline { x = " + list_of(random, n) +
                     ", y = " + list_of(random, random.chance(0.8) ? n : k) +
                     (random.chance(0.2) ? ", start_slope = " + extreme_number(random) : "") + " }\n" +
                     "for _, x in ipairs { 0, 1.5, -1e300, " + extreme_number(random) + " } do f(x) end end)\n";
  text += "try(\"bicubic\", function() local f = mbs.bicubic_spline { x = " + list_of(random, n) +
          ", y = " + list_of(random, k) + ", z = {";
  for (std::size_t i = 0; i < n; ++i) text += (i ? ", " : "") + list_of(random, random.chance(0.9) ? k : n);
  return text + "} }\nfor _, x in ipairs { 0, 1.5, " + extreme_number(random) + " } do f(x, 0.5) f(0.5, x) end end)\n";
}

std::string broken_chunk(Random& random) {
  return "local bytes = [==[local mbs = require \"perilune\" local m = mbs.model { gravity = {0, -1} } "
         "local P = m:point { \"P\", at = {1, 2}, mass = 1 } m:simulate { t = 0.1 } return P]==]\n" +
         damage(random, false) +
         "write(\"part.lua\", bytes)\ntry(\"dofile\", function() dofile \"part.lua\" end)\n"
         "try(\"require\", function() require \"part\" end)\n";
}

std::string broken_model(Random& random) {
  const bool urdf = random.chance(0.3);
  std::string text = "local bytes = [==[";
  text += urdf ? R"(<robot name="r"> <link name="base"/>
<link name="arm"> <inertial> <origin xyz="0.2 0 0"/> <mass value="1"/>
 <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/> </inertial> </link>
<joint name="elbow" type="revolute"> <parent link="base"/> <child link="arm"/> <axis xyz="0 1 0"/>
 <dynamics damping="1"/> </joint> </robot>)"
               : R"(<mujoco> <default> <geom density="500"/> </default> <worldbody> <body name="a" pos="0 0 1">
<joint name="j" axis="0 1 0" stiffness="1"/> <joint type="slide"/> <geom type="capsule" fromto="0 0 0 1 0 0" size="0.1"/>
<body euler="0 0 30"> <joint type="ball"/> <geom size="0.1"/> </body> </body> </worldbody>
<equality> <connect body1="a" anchor="1 0 0"/> </equality> <actuator> <motor joint="j"/> </actuator> </mujoco>)";
  text += "]==]\n" + damage(random, true);
  return text + "write(\"a.xml\", bytes)\ntry(\"read\", function() local m = mbs.read { \"a.xml\", parameters = { \"" +
         std::string(urdf ? "elbow.dynamics.damping" : "j.axis.x") + "\" } } m:simulate { t = 1e-3 } end)\n";
}

std::string broken_assembly(Random& random) {
  return "local bytes = [==["
         R"(OndselSolver
Assembly
	Name
		A
	RefPoints
		RefPoint
			Markers
				Marker
					Name
						G
					RotationMatrix
						1	0	0
						0	0	-1
						0	1	0
	Parts
		Part
			Name
				P
			Position3D
				0.1	0	0
			PrincipalMassMarker
				Mass
					1
				MomentOfInertias
					0.1	0.2	0.2
			RefPoints
				RefPoint
					Markers
						Marker
							Name
								M
	ConstraintSets
		Joints
			CylindricalJoint
				Name
					J
				MarkerI
					/A/G
				MarkerJ
					/A/P/M
		Motions
			RotationalMotion
				Name
					R
				MotionJoint
					/A/J
				RotationZ
					2.0*pi*time + sin(time)^2
	ConstantGravity
		0	0	-9.81
]==]
)" + damage(random, true) +
         "write(\"a.asmt\", bytes)\ntry(\"read\", function() local m = mbs.read { \"a.asmt\", unit = \"m\", parameters "
         "= "
         "{ \"P.Position3D.x\" } } m:simulate { t = 1e-3 } end)\n";
}

std::string broken_mesh(Random& random) {
  const bool is_binary = random.chance(0.4), is_obj = !is_binary && random.chance(0.5);
  std::string text = "local points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1} }\nlocal bytes = ";
  text += is_binary ? "('x'):rep(80) .. string.pack('<I4', 4)\n"
          : is_obj  ? "'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\n'\n"
                    : "'solid s\\n'\n";
  text += "for _, face in ipairs { {1, 3, 2}, {1, 2, 4}, {1, 4, 3}, {2, 3, 4} } do\n";
  if (is_obj) {
    text += "bytes = bytes .. 'f ' .. table.concat(face, ' ') .. '\\n'\n";
  } else {
    text += is_binary ? "bytes = bytes .. ('n'):rep(12)\n" : "bytes = bytes .. 'facet\\n'\n";
    text += "for _, k in ipairs(face) do local x, y, z = table.unpack(points[k])\n";
    text += is_binary ? "bytes = bytes .. string.pack('<fff', x, y, z) end bytes = bytes .. 'aa'\n"
                      : "bytes = bytes .. ('vertex %g %g %g\\n'):format(x, y, z) end bytes = bytes .. 'endfacet\\n'\n";
  }
  text += std::string("end\n") + (is_binary || is_obj ? "" : "bytes = bytes .. 'endsolid\\n'\n");
  text += damage(random, !is_binary);
  const std::string name = is_obj ? "a.obj" : "a.stl";
  return text + "write(\"" + name + "\", bytes)\ntry(\"mesh\", function() local part = mbs.mesh { \"" + name +
         "\", density = 1000 } mbs.model { gravity = {0, 0, 0} }:body { inertia_of = part } end)\n";
}

}  // namespace

std::string broken_file_script(Random& random) {
  const std::size_t choice = random.below(12);
  return prelude + (choice >= 10  ? broken_mesh(random)
                    : choice == 9 ? broken_assembly(random)
                    : choice == 8 ? broken_model(random)
                    : choice < 3  ? broken_mat(random)
                    : choice < 5  ? broken_jobs(random)
                    : choice < 7  ? broken_tables(random)
                                  : broken_chunk(random));
}

}  // namespace perilune::fuzz
