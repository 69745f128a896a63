-- All pictures: { page, name, draw = how }, and for those of a mechanism of the page `after`, the number of the block
-- behind which it is drawn (of those that run and do not fail), whose variables `draw` gets.
local all = {}
for _, chapter in ipairs { "tutorial", "howto_mechanisms", "howto_studies", "howto_diagrams", "theory_mechanics",
                         "theory_parts", "theory_methods" } do
  for _, picture in ipairs(require("of_" .. chapter)) do all[#all + 1] = picture end
end
return all
