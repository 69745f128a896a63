return {
  "print(m:mobility {}) says both numbers of question 1. Six coordinates of a rigid body, ten constraints, of which "
    .. "how many say something new?",
  "Question 3: forces and torques of the hinges that keep each other in balance change nothing in the door's motion. "
    .. "Press the hinges apart along z, or turn one against the other about y: which of a to e do such changes leave "
    .. "alone?",
  "Six equations for the rigid door, at rest: the sums of forces in x, y, z are those without doubt, and the sums of "
    .. "torques. Where two unknowns appear only as a sum, the sum is determined.",
  "m:spherical { \"upper\", m.ground, leaf, at = { 0, 0, given.high } } and m:point_on_line { \"lower\", m.ground, "
    .. "leaf, at = { 0, 0, given.low }, axis = \"z\" }: five constraints, one degree of freedom.",
  "Both hinges sink by the same z, since the door does not change its length: k z + ratio k z = m g. With the misfit "
    .. "f only z - f stretches the upper one: it carries nothing where z = f, and the lower one everything.",
}
