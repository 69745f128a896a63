-- Writes assembly text of FreeCAD for tests: every record that the format asks for.
local assembly_text = {}

local identity = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }

local function writer()
  local lines = {}
  return lines, function(depth, ...)
    for k, line in ipairs { ... } do lines[#lines + 1] = ("\t"):rep(k == 1 and depth or depth + 1) .. line end
  end
end

local function row(list, first, count)
  local out = {}
  for k = first or 1, (first or 1) + (count or #list) - 1 do out[#out + 1] = ("%.17g"):format(list[k]) end
  return table.concat(out, "\t") .. "\t"
end

local function pose(put, depth, record)
  local axes = record.axes or identity
  put(depth, "Position3D", row(record.at or { 0, 0, 0 }))
  put(depth, "RotationMatrix", row(axes, 1, 3), row(axes, 4, 3), row(axes, 7, 3))
end

-- One RefPoint for each marker: { name, at, axes, frame = { at, axes } }.
local function markers(put, depth, list)
  put(depth, "RefPoints")
  for _, marker in ipairs(list or {}) do
    put(depth + 1, "RefPoint")
    pose(put, depth + 2, marker.frame or {})
    put(depth + 2, "Markers")
    put(depth + 3, "Marker")
    put(depth + 4, "Name", marker[1])
    pose(put, depth + 4, marker)
  end
  put(depth, "RefCurves")
  put(depth, "RefSurfaces")
end

local function items(put, depth, list)
  for _, item in ipairs(list or {}) do
    put(depth, item[1])
    put(depth + 1, "Name", item[2])
    for k = 3, #item, 2 do
      put(depth + 1, item[k], type(item[k + 1]) == "number" and ("%.17g"):format(item[k + 1]) or item[k + 1])
    end
  end
end

--- { name, markers, parts = { { name, at, axes, v, w, mass, moments, center = { at, axes }, markers } }, joints = { {
--- kind, name, record, its line, ... } }, motions likewise, loads = { { name, I, J, line } }, gravity } as text.
function assembly_text.write(a)
  local lines, put = writer()
  put(0, "OndselSolver")
  put(0, "Assembly")
  put(1, "Notes", "(Text string: '')")
  put(1, "Name", a.name or "Test")
  pose(put, 1, a)
  put(1, "Velocity3D", row { 0, 0, 0 })
  put(1, "Omega3D", row { 0, 0, 0 })
  markers(put, 1, a.markers)
  put(1, "Parts")
  for _, part in ipairs(a.parts) do
    put(2, "Part")
    put(3, "Name", part[1])
    pose(put, 3, part)
    put(3, "Velocity3D", row(part.v or { 0, 0, 0 }))
    put(3, "Omega3D", row(part.w or { 0, 0, 0 }))
    put(3, "FeatureOrder")
    put(3, "PrincipalMassMarker")
    put(4, "Name", "MassMarker")
    pose(put, 4, part.center or {})
    put(4, "Mass", row { part.mass or 2 })
    put(4, "MomentOfInertias", row(part.moments or { 0.1, 0.2, 0.25 }))
    put(4, "Density", "10")
    markers(put, 3, part.markers)
  end
  put(1, "KinematicIJs")
  put(1, "ConstraintSets")
  put(2, "Joints")
  items(put, 3, a.joints)
  put(2, "Motions")
  items(put, 3, a.motions)
  put(2, "GeneralConstraintSets")
  put(1, "ForceTorques")
  for _, load in ipairs(a.loads or {}) do
    items(put, 2, { { "ForceTorque", load[1], "MarkerI", "/Test/" .. load[2], "MarkerJ", "/Test/" .. load[3] } })
    put(3, load[4])
  end
  put(1, "ConstantGravity", row(a.gravity or { 0, 0, 0 }))
  put(1, "SimulationParameters")
  put(2, "tstart", "0")
  put(0, "TimeSeries")
  put(0, "Number\tInput\t1\t")
  return table.concat(lines, "\n") .. "\n"
end

--- The model of an assembly by mbs.read with these fields, from a file that is written to `path`.
function assembly_text.read(path, a, fields)
  local file <close> = assert(io.open(path, "w"))
  file:write(assembly_text.write(a))
  file:flush()
  fields[1] = path
  return require "perilune".read(fields)
end

--- A joint or motion between two markers, by their paths below the assembly: "P/M".
function assembly_text.between(kind, name, one, other, ...)
  return { kind, name, "MarkerI", "/Test/" .. one, "MarkerJ", "/Test/" .. other, ... }
end

return assembly_text
