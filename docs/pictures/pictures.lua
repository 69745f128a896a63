-- All pictures: { page, name, draw = how }, and for those of a mechanism of the page `after`, the number of the block
-- behind which it is drawn (of those that run and do not fail), whose variables `draw` gets. Those drawn from
-- runs of their own have `is_of_run`: their last digits may differ elsewhere. The sentences beside the pictures of pages
-- that are generated stand in lua/schema/reference_pages.cpp.
local all = {}
for _, chapter in ipairs { "tutorial", "howto_mechanisms", "howto_studies", "howto_diagrams", "theory_mechanics",
                         "theory_parts", "theory_methods", "reference_parts", "reference_numbers",
                         "reference_program" } do
  for _, picture in ipairs(require("of_" .. chapter)) do all[#all + 1] = picture end
end
return all
