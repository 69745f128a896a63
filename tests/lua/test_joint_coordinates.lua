-- mbs.joint_coordinates: trees by recursion against other forms and programs of the same steps, and gradients against
-- differences. Loops: test_joint_loops and test_planar_loops.
local mbs = require "perilune"
local check = require "check"

-- Trees in which every number is uneven. Each returns the model, its parameters, and signals to compare.
local trees = {}

-- Hinges whose ends were declared in both orders, axes along and against each other, springs and dampers that read
-- angles and places, a centre of mass off the reference point, and a branch.
function trees.arm()
  local m = mbs.model { gravity = { 1, 2, -9.81 } }
  local mass, length, stiffness = m:param { "mass", 1.3 }, m:param { "length", 0.7 }, m:param { "stiffness", 20 }
  local a = m:body { "a", mass = mass, inertia = { 0.03, 0.05, 0.04, 0.002, -0.003, 0.001 },
                     center_of_mass = { 0.05, 0.02 * length, -0.03 }, orientation = { 0.9, 0.1, 0.3, -0.2 },
                     at = { 0.1, 0, 0 } }
  local b = m:body { "b", mass = 0.8, inertia = { 0.01, 0.02, 0.03 }, orientation = { 0.8, -0.3, 0.1, 0.5 },
                     at = { 0.5, 0.2, 0.1 } }
  local c = m:body { "c", mass = 0.6, inertia = { 0.01, 0.02, 0.015 }, center_of_mass = { 0.1, 0, 0.1 },
                     at = { 0.6, -0.4, 0.2 } }
  local ja = m:revolute { "ja", m.ground:marker { at = { 0, 0, 0 }, axis = { 0, -1, 0.2 } },
               a:marker { at = { -0.2, 0.1, 0.05 }, axis = { 0.2, 1, -0.4 } } }
  m:revolute { "jb", b:marker { at = { -0.3 * length, 0.1, 0 }, axis = { 1, 0.2, 0 } },
               a:marker { at = { 0.3, 0, 0.1 }, axis = { 0.4, 0.1, -0.7 } } }
  m:revolute { "jc", a, c, at = { 0.3, -0.1, 0.1 }, axis = { 0.1, 0.2, 1 } }
  m:torsion_spring { "s", on = ja, stiffness = stiffness, damping = 0.1 }
  m:spring { "between", b:point { 0.1, 0, 0 }, c:point { 0, 0.1, 0 }, stiffness = stiffness, free_length = 0.3, damping = 0.2 }
  return m, { mass, length, stiffness },
         { "b.x", "b.e1", "c.z", "a.lambda", "b.lambda", "ja.angle", "jb.omega", "ja.force_z", "jb.torque_y", "jc.force_x" }
end

-- What floats and tumbles: no Euler parameter stays the best one to leave out. A ball joint, and a hinge on it.
function trees.satellite()
  local m = mbs.model { gravity = { 0, 0, 0 } }
  local mass, reach, damping = m:param { "mass", 0.7 }, m:param { "reach", 0.4 }, m:param { "damping", 0.05 }
  local hub = m:body { "hub", mass = 3, inertia = { 0.2, 0.3, 0.25, 0.01, 0.02, -0.01 }, center_of_mass = { 0.02, 0.01, 0 },
                       angular_velocity = { 1, 4, 0.5 }, velocity = { 0.3, 0, 0.1 }, at = { 100, 0, -50 } }
  local arm = m:body { "arm", mass = mass, inertia = { 0.01, 0.02, 0.02 }, at = { 100.5, 0.1, -50 } }
  local ball = m:body { "ball", mass = 0.5, inertia = { 0.01, 0.012, 0.008 }, center_of_mass = { 0, 0.05, 0 },
                        at = { 100 - 0.3, 0.4, -50.1 } }
  local tip = m:body { "tip", mass = 0.2, inertia = { 0.002, 0.001, 0.002 }, at = { 99.7, 0.8, -50 } }
  local hinge = m:revolute { "hinge", hub:marker { at = { reach, 0, 0 }, axis = { 0, 0.3, 1 } },
               arm:marker { at = { -0.2, 0, 0.02 }, axis = { 0.1, 0, 1 } } }
  m:spherical { "socket", ball:point { 0, -0.2, 0.1 }, hub:point { -0.3, 0.2, 0 } }
  local last = m:revolute { "last", tip:marker { at = { 0, -0.2, 0 }, axis = "x" }, ball:marker { at = { 0, 0.2, 0 }, axis = { 1, 0, 0.5 } } }
  m:torsion_spring { "s", on = last, stiffness = 0.5, damping = damping }
  m:torsion_spring { "d", on = hinge, stiffness = 0.8, damping = 0.02 }
  return m, { mass, reach, damping },
         { "hub.e2", "hub.x", "arm.y", "ball.e3", "tip.x", "hub.lambda", "ball.lambda", "socket.force_x", "hinge.torque_x",
           "last.force_y" }
end

-- What floats and tumbles on hinges alone, in both orders of bodies, with everything about a hinge a parameter: where
-- it is on both bodies, and its axis on both.
function trees.tumbler()
  local m = mbs.model { gravity = { 0.3, -0.2, -9.81 } }
  local mass, reach, tilt, place, damping = m:param { "mass", 0.7 }, m:param { "reach", 0.4 }, m:param { "tilt", 0.3 },
                                            m:param { "place", -0.2 }, m:param { "damping", 0.05 }
  local hub = m:body { "hub", mass = 3 * mass, inertia = { 0.2, 0.3, 0.25, 0.01, 0.02, -0.01 }, center_of_mass = { 0.02, 0.01, tilt },
                       angular_velocity = { 1, 4, 0.5 }, velocity = { 0.3, 0, 0.1 }, at = { 10, 0, -50 } }
  local arm = m:body { "arm", mass = mass, inertia = { 0.015, 0.03 * reach, 0.02 }, at = { 10.5, 0.1, -50 } }
  local tip = m:body { "tip", mass = 0.2, inertia = { 0.002, 0.001, 0.002 }, at = { 10.7, 0.8, -50 }, center_of_mass = { place, 0, 0.1 } }
  local fin = m:body { "fin", mass = 0.4, inertia = { 0.003, 0.004, 0.003 }, at = { 9.7, 0.2, -50 } }
  local hinge = m:revolute { "hinge", hub:marker { at = { reach, 0, 0 }, axis = { 0, tilt, 1 } },
               arm:marker { at = { place, 0, 0.02 }, axis = { 0.1, 0, 1 } } }
  local last = m:revolute { "last", tip:marker { at = { 0, place, 0.1 }, axis = { 1, tilt, 0.1 } },
                            arm:marker { at = { 0, 0.5 * reach, 0 }, axis = { 1, 0, 0.5 } } }
  m:revolute { "back", hub:marker { at = { -reach, place, 0 }, axis = { 0.2, 1, tilt } }, fin:marker { at = { 0.1, 0, tilt }, axis = "y" } }
  m:torsion_spring { "s", on = last, stiffness = 0.5, damping = damping }
  m:torsion_spring { "d", on = hinge, stiffness = 0.8, damping = 0.02 }
  m:spring { "between", fin:point { 0.1, 0, reach }, tip:point { 0, 0.1, 0 }, stiffness = 3, free_length = 0.3, damping = damping }
  return m, { mass, reach, damping, tilt, place }, { "tip.x", "hub.e2", "hub.x", "arm.y", "fin.e3", "hub.lambda", "tip.lambda", "hinge.torque_x", "last.force_y" }
end

-- Joints that slide and welds, declared in both orders and with axes that turn, so that no component of a place stays
-- the best one to follow a slide by.
function trees.gantry()
  local m = mbs.model { gravity = { 1, 2, -9.81 } }
  local mass, reach, stiffness = m:param { "mass", 1.1 }, m:param { "reach", 0.3 }, m:param { "stiffness", 15 }
  local function body(name, more)
    more[1], more.inertia = name, more.inertia or { 0.02, 0.03, 0.025, 0.001, 0.002, -0.001 }
    return m:body(more)
  end
  local rotor = body("rotor", { mass = 2, angular_velocity = { 0, 0, 5 }, center_of_mass = { 0.02, 0, 0 } })
  local cart = body("cart", { mass = mass, center_of_mass = { 0, 0.05, 0.02 }, at = { 0.5, 0.1, 0 } })
  local plate = body("plate", { mass = 0.4, at = { 0.5, 0.3, 0.1 } })
  local bolt = body("bolt", { mass = 0.5, at = { 0.5, 0.5, 0.2 }, center_of_mass = { 0.03, 0, 0 } })
  local car = body("car", { mass = 0.7, at = { -0.5, 0, 0 } })
  local pin = body("pin", { mass = 0.3, at = { -0.5, 0.2, 0.3 }, center_of_mass = { 0, 0.02, 0 } })
  m:revolute { "bearing", m.ground:marker { at = { 0, 0, 0 }, axis = "z" }, rotor:marker { at = { 0, 0, 0 }, axis = "z" } }
  m:translational { "rail", rotor:marker { at = { 0.1, 0.1, 0 }, axis = { 1, 0, 0.1 } },
                    cart:marker { at = { -reach, 0, 0 }, axis = { 1, 0, 0 } } }
  m:weld { "clamp", plate:marker { at = { 0, -0.1, 0 }, axis = { 0, 1, 0.2 } },
           cart:marker { at = { 0, 0.1, 0.1 }, axis = { 0, 1, 0 } } }
  local thread = m:cylindrical { "sleeve", bolt:marker { at = { 0, -0.2, 0 }, axis = { 0, 1, 0.1 } },
                  plate:marker { at = { 0, 0.1, 0.05 }, axis = { 0.1, -1, 0 } } }
  m:translational { "other", car:marker { at = { 0.2, 0, 0.1 }, axis = { -1, 0.2, 0 } },
                    rotor:marker { at = { -0.1, 0, 0 }, axis = { 1, 0, 0 } } }
  m:cylindrical { "quill", car:marker { at = { 0, 0.1, 0 }, axis = { 0, 0.3, 1 } },
                  pin:marker { at = { 0, -0.1, 0 }, axis = { 0, 0, 1 } } }
  m:spring { "s1", rotor:point { 0, 0, 0.1 }, cart:point { 0, 0, 0.1 }, stiffness = stiffness, free_length = 0.4, damping = 1 }
  m:spring { "s2", bolt:point { 0, 0, 0.1 }, plate:point { 0.1, 0, 0.1 }, stiffness = 40, free_length = 0.3, damping = 1 }
  m:spring { "s3", car:point { 0, 0, 0 }, rotor:point { 0, 0, 0 }, stiffness = 60, free_length = 0.5, damping = 1 }
  m:spring { "s4", pin:point { 0, 0.1, 0 }, car:point { 0, 0, 0.1 }, stiffness = 50, free_length = 0.2, damping = 1 }
  m:torsion_spring { "t", on = thread, stiffness = 0.5, damping = 0.01 }
  return m, { mass, reach, stiffness },
         { "bolt.x", "cart.y", "plate.e3", "car.z", "pin.e1", "cart.lambda", "plate.lambda", "car.lambda", "rotor.lambda",
           "rail.force_z", "rail.torque_x", "clamp.torque_z", "sleeve.torque_x", "sleeve.force_y", "other.torque_y",
           "other.force_x", "quill.torque_y", "quill.force_y" }
end

-- A chain by its own generator, long enough that factors fill.
function trees.chain()
  local m = mbs.model { gravity = { 0, 0.4, -9.81 } }
  local length, density = m:param { "length", 0.2 }, m:param { "density", 1 }
  local before = m.ground
  for i = 1, 12 do
    local link = m:body { "b" .. i, mass = 0.1 * density, inertia = { 1e-4, 4e-4 * density, 4e-4 }, at = { 0.2 * i - 0.1, 0, 0 } }
    local near = before == m.ground and m.ground:marker { at = { 0, 0, 0 }, axis = { 0, 1, 0.3 } }
                 or before:marker { at = { 0.5 * length, 0, 0 }, axis = { 0, 1, 0.3 * (i % 3) } }
    m:revolute { "j" .. i, near, link:marker { at = { -0.5 * length, 0, 0 }, axis = { 0, 1, 0.3 * (i % 2) } } }
    before = link
  end
  return m, { length, density }, { "b12.x", "b12.e2", "b5.lambda", "j1.force_z", "j7.torque_x", "j12.angle" }
end

-- Universal joints, screws and planar joints, declared in both orders, with springs that make all of them move.
function trees.rig()
  local m = mbs.model { gravity = { 1, 2, -9.81 } }
  local mass, lead, stiffness = m:param { "mass", 0.9 }, m:param { "lead", 0.15 }, m:param { "stiffness", 15 }
  local function body(name, more)
    more[1], more.inertia = name, more.inertia or { 0.02, 0.03, 0.025, 0.001, 0.002, -0.001 }
    return m:body(more)
  end
  local shaft = body("shaft", { mass = 1.2, at = { 0, 0, 0.3 }, center_of_mass = { 0.02, 0, 0.01 },
                                angular_velocity = { 0, 0, 4 } })
  local fork = body("fork", { mass = mass, at = { 0.2, 0.1, 0.7 }, center_of_mass = { 0, 0.03, 0 } })
  local nut = body("nut", { mass = 0.5, at = { 0.3, 0.2, 0.4 }, center_of_mass = { 0.03, 0, 0.02 } })
  local bolt = body("bolt", { mass = 0.4, at = { 0.2, -0.4, 0.5 } })
  local sled = body("sled", { mass = 0.7, at = { -0.4, 0, 0.2 }, center_of_mass = { 0, 0.02, 0.02 } })
  local disk = body("disk", { mass = 0.3, at = { -0.4, 0.3, 0.3 }, velocity = { 0.3, 0, 0 } })
  m:universal { "root", m.ground, shaft, at = { 0, 0, 0 }, axis = "y", axis_b = { 1, 0, 0.2 } }
  local cross = m:universal { "cross", fork:marker { at = { 0, 0, -0.2 }, axis = { 1, 0.2, 0 } },
                              shaft:marker { at = { 0, 0, 0.2 }, axis = { 0, 1, 0.1 } } }
  local thread = m:screw { "thread", shaft:marker { at = { 0.1, 0, 0 }, axis = { 0, 0.2, 1 } },
                           nut:marker { at = { 0, -0.1, 0 }, axis = { 0, 0, 1 } }, lead = lead }
  local back = m:screw { "back", bolt:marker { at = { 0, 0, 0.1 }, axis = { 0, 1, 0.3 } },
                         shaft:marker { at = { 0, -0.1, 0.1 }, axis = { 0, -1, 0 } }, lead = 0.2 }
  m:planar { "table", sled:marker { at = { 0.1, 0, 0 }, axis = { 1, 0, 0.3 } },
             shaft:marker { at = { -0.1, 0, 0 }, axis = { -1, 0, 0 } } }
  m:planar { "floor", sled:marker { at = { 0, 0, 0.1 }, axis = { 0, 1, 0.2 } },
             disk:marker { at = { 0, -0.1, 0 }, axis = { 0, 1, 0 } } }
  m:spring { "s1", shaft:point { 0, 0, 0.2 }, m.ground:point { 0.3, 0, 0.5 }, stiffness = 8 * stiffness, free_length = 0.3, damping = 1 }
  m:spring { "s2", fork:point { 0.1, 0, 0.1 }, m.ground:point { 0.2, 0, 1 }, stiffness = 4 * stiffness, free_length = 0.2, damping = 1 }
  m:spring { "s3", nut:point { 0, 0, 0 }, shaft:point { 0.2, 0, 0 }, stiffness = 5 * stiffness, free_length = 0.2, damping = 1 }
  m:spring { "s4", bolt:point { 0, 0.1, 0 }, shaft:point { 0, -0.3, 0 }, stiffness = 80, free_length = 0.2, damping = 1 }
  m:spring { "s5", sled:point { 0, 0.1, 0 }, shaft:point { -0.3, 0, 0.1 }, stiffness = 90, free_length = 0.1, damping = 1 }
  m:spring { "s6", disk:point { 0.1, 0, 0 }, sled:point { 0, 0.2, 0 }, stiffness = 70, free_length = 0.2, damping = 1 }
  m:torsion_spring { "t", on = thread, stiffness = 0.5, damping = 0.02 }
  return m, { mass, lead, stiffness },
         { "nut.x", "fork.e1", "disk.z", "sled.e2", "shaft.lambda", "fork.lambda", "nut.lambda", "bolt.lambda", "sled.lambda",
           "disk.lambda", "root.torque_x", "cross.torque_z", "cross.force_y", "thread.force_x", "thread.torque_y", "thread.lambda",
           "back.lambda", "back.angle", "back.torque_x", "table.force_z", "floor.torque_x", "table.torque_y", "floor.force_z" }
end

-- Bodies of the plane on hinges, slides and welds in both orders, and one that floats with another on it.
function trees.flat()
  local m = mbs.model { gravity = { 0.5, -9.81 } }
  local mass, reach, stiffness = m:param { "mass", 1.3 }, m:param { "reach", 0.4 }, m:param { "stiffness", 20 }
  local a = m:body { "a", mass = mass, inertia = 0.05, at = { 0.3, 0 }, center_of_mass = { 0.05, 0.02 * reach }, angle = 0.3 }
  local b = m:body { "b", mass = 0.8, inertia = 0.02, at = { 0.7, 0.2 }, angular_velocity = 2 }
  local cart = m:body { "cart", mass = 0.5, inertia = 0.01, at = { 1, 0 }, center_of_mass = { 0, 0.04 } }
  local box = m:body { "box", mass = 0.4, inertia = 0.02, at = { 1, 0.3 }, center_of_mass = { 0.03, 0 } }
  local car = m:body { "car", mass = 0.6, inertia = 0.02, at = { -0.5, 0.1 } }
  local ship = m:body { "ship", mass = 2, inertia = 0.2, at = { 50, -80 }, angular_velocity = 3, velocity = { 1, 0.2 } }
  local sail = m:body { "sail", mass = 0.3, inertia = 0.02, at = { 50, -79.5 } }
  m:revolute { "ja", m.ground:point { 0, 0 }, a:point { -0.3, 0.05 } }
  m:revolute { "jb", b:point { -0.2, 0 }, a:point { reach, 0.1 } }
  m:translational { "rail", cart:marker { at = { 0, 0 }, angle = 0.2 }, b:marker { at = { 0.2, 0 }, angle = 0 } }
  m:weld { "clamp", box:marker { at = { 0, -0.1 }, angle = 0 }, cart:marker { at = { 0, 0.2 }, angle = 0.3 } }
  m:translational { "track", m.ground:marker { at = { -0.5, 0 }, angle = 0.3 }, car:marker { at = { 0, -0.1 }, angle = 0 } }
  m:revolute { "mast", ship:point { 0, 0.2 }, sail:point { 0, -0.3 } }
  m:spring { "s1", cart:point { 0, 0 }, b:point { 0, 0.1 }, stiffness = 3 * stiffness, free_length = 0.3, damping = 0.5 }
  m:spring { "s2", car:point { 0, 0 }, m.ground:point { -1, 0 }, stiffness = 4 * stiffness, free_length = 0.3, damping = 0.5 }
  m:spring { "s3", sail:point { 0.1, 0.1 }, ship:point { 0.3, 0 }, stiffness = stiffness, free_length = 0.3, damping = 0.1 }
  return m, { mass, reach, stiffness },
         { "box.x", "cart.y", "b.angle", "car.x", "sail.y", "ja.force_x", "jb.force_y", "rail.force_y", "rail.torque", "clamp.torque",
           "clamp.force_x", "track.force_y", "track.torque", "mast.force_x" }
end

-- Laws of time on angles and displacements, of joints in both orders.
function trees.driven()
  local m = mbs.model { gravity = { 1, 2, -9.81 } }
  local mass, swing, rate = m:param { "mass", 1.1 }, m:param { "swing", 0.4 }, m:param { "rate", 5 }
  local function body(name, more)
    more[1], more.inertia = name, more.inertia or { 0.02, 0.03, 0.025, 0.001, 0.002, -0.001 }
    return m:body(more)
  end
  local rotor = body("rotor", { mass = 2, center_of_mass = { 0.02, 0, 0 } })
  local cart = body("cart", { mass = mass, center_of_mass = { 0, 0.05, 0.02 }, at = { 0.5, 0.1, 0 } })
  local car = body("car", { mass = 0.7, at = { -0.5, 0, 0 } })
  local pin = body("pin", { mass = 0.3, at = { -0.5, 0.2, 0.3 }, center_of_mass = { 0, 0.02, 0 } })
  local bolt = body("bolt", { mass = 0.5, at = { 0.5, 0.5, 0.2 }, center_of_mass = { 0.03, 0, 0 } })
  local nut = body("nut", { mass = 0.4, at = { 0.1, 0, 0.5 }, center_of_mass = { 0.03, 0, 0 } })
  local bob = body("bob", { mass = 0.4, at = { 0.5, 0.1, -0.3 } })
  local bearing = m:revolute { "bearing", m.ground, rotor, at = { 0, 0, 0 }, axis = { 0.2, 0, 1 } }
  local rail = m:translational { "rail", rotor:marker { at = { 0.1, 0.1, 0 }, axis = { 1, 0, 0.1 } },
                                 cart:marker { at = { -0.3, 0, 0 }, axis = { 1, 0, 0 } } }
  local other = m:translational { "other", car:marker { at = { 0.2, 0, 0.1 }, axis = { -1, 0.2, 0 } },
                                  rotor:marker { at = { -0.1, 0, 0 }, axis = { 1, 0, 0 } } }
  local quill = m:cylindrical { "quill", car:marker { at = { 0, 0.1, 0 }, axis = { 0, 0.3, 1 } },
                                pin:marker { at = { 0, -0.1, 0 }, axis = { 0, 0, 1 } } }
  local sleeve = m:cylindrical { "sleeve", bolt:marker { at = { 0, -0.2, 0 }, axis = { 0, 1, 0.1 } },
                                 cart:marker { at = { 0, 0.1, 0.05 }, axis = { 0.1, 1, 0 } } }
  local thread = m:screw { "thread", nut:marker { at = { 0, 0, -0.2 }, axis = { 0, 0.2, 1 } },
                           rotor:marker { at = { 0.1, 0, 0 }, axis = "z" }, lead = 0.2 }
  m:spherical { "socket", bob:point { 0, 0, 0.3 }, cart:point { 0, 0, 0 } }
  m:driver { "turn", bearing.angle, law = function(s) return swing * math.sin(rate * s.t) end }
  m:driver { "push", rail.displacement, law = function(s) return 0.1 + 0.2 * swing * math.sin(rate * s.t) end }
  m:driver { "pull", other.displacement, law = function(s) return 0.2 * math.cos(2 * s.t) end }
  m:driver { "way", quill.displacement, law = function(s) return 0.1 * math.sin(3 * s.t) end }
  m:driver { "twist", sleeve.angle, law = function(s) return 0.3 * s.t end }
  m:driver { "screwing", thread.angle, law = function(s) return swing * s.t * s.t end }
  m:spring { "s2", bolt:point { 0, 0, 0.1 }, cart:point { 0.1, 0, 0.1 }, stiffness = 40, free_length = 0.3, damping = 1 }
  m:torsion_spring { "t", on = quill, stiffness = 0.5, damping = 0.01 }
  return m, { mass, swing, rate },
         { "bolt.x", "pin.e1", "bob.y", "rotor.lambda", "cart.lambda", "car.lambda", "pin.lambda", "nut.lambda", "turn.force", "push.force",
           "pull.force", "way.force", "twist.force", "screwing.force", "rail.force_x", "other.torque_y", "quill.torque_x",
           "sleeve.force_x", "thread.lambda", "thread.torque_x", "push.power" }
end

-- The same of bodies in the plane.
function trees.driven_flat()
  local m = mbs.model { gravity = { 0.5, -9.81 } }
  local mass, swing, rate = m:param { "mass", 1.3 }, m:param { "swing", 0.4 }, m:param { "rate", 4 }
  local a = m:body { "a", mass = mass, inertia = 0.05, at = { 0.3, 0 }, center_of_mass = { 0.05, 0.02 } }
  local b = m:body { "b", mass = 0.8, inertia = 0.02, at = { 0.7, 0.2 } }
  local c = m:body { "c", mass = 0.5, inertia = 0.01, at = { 1, 0 }, center_of_mass = { 0, 0.04 } }
  local d = m:body { "d", mass = 0.4, inertia = 0.02, at = { 1, 0.5 } }
  local ja = m:revolute { "ja", m.ground, a, at = { 0, 0 } }
  local jb = m:revolute { "jb", b, a, at = { 0.5, 0 } }
  local rail = m:translational { "rail", c:marker { at = { 0, 0 }, angle = 0.2 }, b:marker { at = { 0.2, 0 }, angle = 0 } }
  m:revolute { "jd", c, d, at = { 1, 0.2 } }
  m:driver { "turn", ja.angle, law = function(s) return swing * math.sin(rate * s.t) end }
  m:driver { "bend", jb.angle, law = function(s) return swing * s.t end }
  m:driver { "push", rail.displacement, law = function(s) return 0.2 * math.sin(rate * s.t) end }
  return m, { mass, swing, rate },
         { "d.x", "d.angle", "turn.force", "bend.force", "push.force", "ja.force_x", "jb.force_y", "rail.force_y", "rail.torque", "jd.force_x" }
end

local function last(run, what)
  local values = run:values(what)
  return values[#values]
end
local tight = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 }
local joints = mbs.joint_coordinates {}

for name, make in pairs(trees) do
  -- The motion of other forms, reactions and the multipliers of normalizations, which no user reads, too.
  local m, parameters, signals = make()
  local found = m:simulate { t = 1, formulation = joints, integrator = tight }
  local other = make():simulate { t = 1, formulation = mbs.index1 { project = true }, integrator = tight }
  check.equal(found.factorizations, 0, name .. ": no matrix is factored")
  for _, what in ipairs(signals) do check.near(last(found, what), last(other, what), 2e-8, name .. " " .. what) end
  -- Implicit steps come to the same.
  local implicit = make():simulate { t = 1, formulation = joints,
                                     integrator = mbs.radau { relative_tolerance = 1e-9, absolute_tolerance = 1e-10 } }
  for _, what in ipairs(signals) do check.near(last(implicit, what), last(other, what), 1e-5, name .. " " .. what) end

  -- Gradients: the discrete ones of constant steps to rounding of each other, and to the errors of differences.
  local objectives = { m:objective { "height", terminal = m:signal(signals[1]) }, m:objective { "load", integral = m:signal(signals[#signals]) } }
  local gradients = {}
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {}, mbs.adjoint { checkpoints = 5 }, mbs.finite_difference {} } do
    gradients[#gradients + 1] = m:gradient { objectives, over = parameters, t = 0.4, formulation = joints,
                                             integrator = mbs.rk4 { step = 0.004 }, method = method }
  end
  for k = 1, #objectives do
    for i = 1, #parameters do
      local direct = gradients[1][k].gradient[i]
      check.near(gradients[2][k].gradient[i], direct, 1e-11, name .. ": adjoint")
      check.equal(gradients[3][k].gradient[i], gradients[2][k].gradient[i], name .. ": checkpoints")
      check.near(gradients[4][k].gradient[i], direct, 2e-6, name .. ": differences")
    end
  end
  -- And those of another form where steps are so short that both are right.
  local function exact(form)
    return m:gradient { objectives, over = parameters, t = 0.4, formulation = form, integrator = tight }
  end
  local a, b = exact(joints), exact(mbs.maggi {})
  for k = 1, #objectives do
    for i = 1, #parameters do check.near(a[k].gradient[i], b[k].gradient[i], 1e-7, name .. ": gradient by maggi") end
  end
end

-- Second derivatives, intervals of time, the continuous methods and events go through what recursions found.
do
  local m, parameters, signals = trees.arm()
  local load = m:objective { "load", integral = m:signal("ja.torque_x") }
  local how = { load, over = parameters, t = 0.4, formulation = joints, integrator = mbs.rk4 { step = 0.004 } }
  local function with(method) how.method = method return m:gradient(how) end
  local plain = with(mbs.adjoint {})
  local pieces = with(mbs.adjoint { intervals = 5 })
  for i = 1, #parameters do check.near(pieces.gradient[i], plain.gradient[i], 1e-11, "by intervals") end
  how.method = nil
  local second = m:hessian(how)
  for i, p in ipairs(parameters) do
    local value, d = p.value, 1e-5 * math.max(1, p.value)
    p.value = value + d
    local up = with(mbs.adjoint {})
    p.value = value - d
    local down = with(mbs.adjoint {})
    p.value = value
    for j = 1, #parameters do
      check.near(second.matrix[i][j], (up.gradient[j] - down.gradient[j]) / (2 * d), 1e-6, "second derivative")
    end
  end
  how.integrator = tight
  local discrete, continuous = with(mbs.adjoint {}), with(mbs.continuous_adjoint {})
  for i = 1, #parameters do check.near(continuous.gradient[i], discrete.gradient[i], 1e-6, "continuous") end
end

-- Tangents that no objective reads are not found: beside one that reads reactions, or accelerations, gradients are what
-- they are alone. Several parameters at once are what each is alone, whether it moves the start, as all do at rest, or not.
for _, at_rest in ipairs { false, true } do
  local m, parameters = trees.arm()
  local objectives = {
    m:objective { "place", integral = m:signal("c.z"), terminal = m:signal("b.x") },
    m:objective { "load", integral = m:signal("ja.force_z") },
    m:objective { "end load", terminal = m:signal("jb.torque_y") },
    m:objective { "push", integral = m:signal("b.ay") },
    m:objective { "peak", maximum = m:signal("c.z") },
  }
  if at_rest then table.remove(objectives) end  -- a peak of what does not move is anywhere
  local function gradient(of, over, method)
    return m:gradient { of, over = over, t = 0.4, formulation = joints, integrator = mbs.rk4 { step = 0.004 },
                        at_rest = at_rest, method = method }
  end
  local direct, adjoint = mbs.direct {}, mbs.adjoint {}
  local together, back = gradient(objectives, parameters, direct), gradient(objectives, parameters, adjoint)
  for k, objective in ipairs(objectives) do
    local alone = gradient({ objective }, parameters, direct)
    for i, parameter in ipairs(parameters) do
      local where = objective.name .. " by " .. parameter.name .. (at_rest and ", at rest, " or ", ")
      local function one(method) return gradient({ objective }, { parameter }, method)[1].gradient[1] end
      check.near(alone[1].gradient[i], together[k].gradient[i], 1e-13, where .. "alone")
      check.near(one(direct), together[k].gradient[i], 1e-13, where .. "one parameter")
      check.near(back[k].gradient[i], together[k].gradient[i], 1e-10, where .. "adjoint")
      check.near(one(adjoint), back[k].gradient[i], 1e-13, where .. "one parameter, adjoint")
    end
  end
end

-- What rests in balance has accelerations of rounding only, which must not count against the recursion.
for _, size in ipairs { 1e-3, 1, 1e3 } do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local inertia = { size^5, size^5, size^5 }
  local b = m:body { "b", mass = size^3, inertia = inertia, at = { 0, 0, -size } }
  m:revolute { "j", m.ground, b, at = { 0, 0, 0 }, axis = "y" }
  local c = m:body { "c", mass = size^3, inertia = inertia, at = { 0, 0, -2 * size } }
  m:revolute { "k", b, c, at = { 0, 0, -1.5 * size }, axis = "x" }
  for _, side in ipairs { -1, 1 } do
    m:spring { m.ground:point { side * size, 0, -2 * size }, c, stiffness = 1e6 * size^2, free_length = 0.99 * size }
  end
  local run = m:simulate { t = 1 }
  check.equal(run.factorizations, 0, "in balance")
  check.equal(#run.warnings, 0, "in balance")
end

-- A long chain whips, by which the constraints of its joints come to differ in weight by much: no singular position.
do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local before, n = m.ground, 40
  local length = 2 / n
  for i = 1, n do
    local link = m:body { "b" .. i, mass = 1 / n, inertia = { 1e-5, length^2 / 12 / n, length^2 / 12 / n },
                          at = { (i - 0.5) * length, 0, 0 } }
    m:revolute { "j" .. i, before, link, at = { (i - 1) * length, 0, 0 }, axis = i % 2 == 0 and "y" or { 0, 1, 0.3 } }
    before = link
  end
  local run = m:simulate { t = 2.1, integrator = mbs.dormand_prince { relative_tolerance = 1e-6, absolute_tolerance = 1e-6 } }
  check.equal(run.t, 2.1, "a chain that whips")
  check.equal(tostring(run):find("joint_coordinates", 1, true) ~= nil, true, "the usual form of a tree")
end

-- What the audit says of energy is summed up by the integrator's own rule, from all steps where that reaches back.
do
  local m = trees.chain()
  for _, steps in ipairs { "bdf", "radau", "dormand_prince" } do
    local run = m:simulate { t = 1, formulation = joints, integrator = mbs[steps] {} }
    local other = m:simulate { t = 1, formulation = mbs.coordinate_partitioning {}, integrator = mbs[steps] {} }
    check.equal(run.quality.energy_error < 30 * other.quality.energy_error + 1e-9, true, "energy by " .. steps)
  end
end

-- Conditions and ticks read motions that no objective does: their tangents are found all the same.
for _, how in ipairs { "condition", "tick" } do
  local m = mbs.model { gravity = { 0, 0, -9.81 } }
  local mass, bodies, joints = m:param { "mass", 1 }, {}, {}
  for k = 1, 3 do
    bodies[k] = m:body { "b" .. k, at = { k - 0.5, 0, 0 }, mass = mass, inertia = { 0.1, 0.2, 0.3 } }
    joints[k] = m:revolute { "j" .. k, bodies[k - 1] or m.ground, bodies[k], at = { k - 1, 0, 0 }, axis = { 0, 1, 0.2 * k } }
  end
  local push
  if how == "condition" then
    push = function() return mbs.where(mbs.gt(-1, bodies[3].z), 4, 0) end
  else
    local held = m:sampled { "held", period = 0.1, next = function() return bodies[3].z end }
    push = function() return 5 * held.value end
  end
  m:torque { "push", on = bodies[1], law = function() return 0, push(), 0 end }
  local J = m:objective { "J", terminal = joints[1].angle }
  local settings = { J, t = 0.7, formulation = mbs.joint_coordinates {}, integrator = mbs.dormand_prince { relative_tolerance = 1e-11, absolute_tolerance = 1e-12 } }
  local function value(x)
    mass.value = x
    local found = m:simulate { t = 0.7, formulation = settings.formulation, integrator = settings.integrator, objectives = J }.objectives.J
    mass.value = 1
    return found
  end
  local slope = (value(1 + 1e-4) - value(1 - 1e-4)) / 2e-4
  assert(math.abs(slope) > 1e-3, slope)
  for _, method in ipairs { mbs.direct {}, mbs.adjoint {} } do
    settings.method = method
    check.near(m:gradient(settings).gradient[1], slope, 1e-6, how .. " by " .. tostring(method))
  end
end
