// SPDX-License-Identifier: MIT
#include "output/scene/vtk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <ostream>

#include "format/text.hpp"

namespace perilune::output {

using namespace format;

namespace {

constexpr int kSides = 32;  // of what is round

template <class List, class Text>
void data_array(std::ostream& out, const char* type, const char* attributes, const List& list, const Text& text) {
  out << "<DataArray type=\"" << type << "\" " << attributes << " format=\"ascii\">\n";
  for (const auto& item : list) out << text(item) << '\n';
  out << "</DataArray>\n";
}

}  // namespace

int VtkPictures::add_point(int frame, const Triple& local) {
  points_.push_back({frame, local});
  return static_cast<int>(points_.size()) - 1;
}

void VtkPictures::add(Cells& to, Cell cell, int object) {
  to.cells.push_back(std::move(cell));
  to.objects.push_back(object);
}

void VtkPictures::add_grid(int frame, const SceneShape& shape, const std::vector<std::array<double, 2>>& profile,
                           int object) {
  // A closed surface of revolution about the shape's z axis: rings of points at (radius, z).
  const int first = static_cast<int>(points_.size()), rings = static_cast<int>(profile.size());
  for (const auto& [radius, z] : profile) {
    for (int k = 0; k < kSides; ++k) {
      const double turn = 2 * std::numbers::pi * k / kSides, x = radius * std::cos(turn), y = radius * std::sin(turn);
      add_point(frame, shape.point({x, y, z}));
    }
  }
  for (int ring = 0; ring + 1 < rings; ++ring) {
    for (int k = 0; k < kSides; ++k) {
      const int a = first + ring * kSides, next = (k + 1) % kSides;
      add(polygons_, {a + k, a + next, a + kSides + next, a + kSides + k}, object);
    }
  }
}

void VtkPictures::add_shape(int frame, const SceneShape& shape, int object) {
  const std::vector<double>& s = shape.size;
  const auto along = [&](double z) { return add_point(frame, shape.point({0, 0, z})); };
  switch (shape.kind) {
    case model::Shape::Kind::Rod:
      add(lines_, {along(-s[0] / 2), along(s[0] / 2)}, object);
      return;
    case model::Shape::Kind::Cylinder: {
      // From the inner edge around the outside; a solid one closes at its axis.
      const double h = s[2] / 2;
      std::vector<std::array<double, 2>> profile{{s[1], -h}, {s[0], -h}, {s[0], h}, {s[1], h}};
      if (s[1] > 0) profile.push_back(profile.front());
      add_grid(frame, shape, profile, object);
      return;
    }
    case model::Shape::Kind::Sphere: {
      std::vector<std::array<double, 2>> profile;
      for (int k = 0; k <= kSides / 2; ++k) {
        const double polar = 2 * std::numbers::pi * k / kSides;
        profile.push_back({s[0] * std::sin(polar), -s[0] * std::cos(polar)});
      }
      add_grid(frame, shape, profile, object);
      return;
    }
    case model::Shape::Kind::Surface: {
      const int first = static_cast<int>(points_.size());
      for (const auto& p : shape.surface->vertices) {
        add_point(frame, shape.point({s[0] * p[0], s[1] * p[1], s[2] * p[2]}));
      }
      for (const auto& corners : shape.surface->triangles) {
        Cell cell;
        for (const std::uint32_t corner : corners) cell.push_back(first + static_cast<int>(corner));
        add(polygons_, cell, object);
      }
      return;
    }
    case model::Shape::Kind::Box:
      break;
  }
  const int first = static_cast<int>(points_.size());
  for (int corner = 0; corner < 8; ++corner) {
    const Triple own{(corner & 1 ? s[0] : -s[0]) / 2, (corner & 2 ? s[1] : -s[1]) / 2, (corner & 4 ? s[2] : -s[2]) / 2};
    add_point(frame, shape.point(own));
  }
  for (const auto& face :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
    add(polygons_, {first + face[0], first + face[1], first + face[2], first + face[3]}, object);
  }
}

VtkPictures::VtkPictures(const Scene& scene) : scene_(scene) {
  const int frames = static_cast<int>(scene.frames().size());
  for (int i = 0; i < frames; ++i) {
    add(vertices_, {add_point(i, {})}, i);
    for (const SceneShape& shape : scene.frames()[static_cast<std::size_t>(i)].shapes) add_shape(i, shape, i);
  }
  for (const SceneCam& cam : scene.cams()) {
    Cell cell;
    for (const Triple& p : cam.outline()) cell.push_back(add_point(cam.frame, p));
    add(polygons_, cell, cam.frame);
  }
  for (std::size_t k = 0; k < scene.connections().size(); ++k) {
    const SceneConnection& connection = scene.connections()[k];
    if (connection.mark == model::Mark::Arrow) continue;
    const int a = add_point(connection.a.frame, connection.a.at), b = add_point(connection.b.frame, connection.b.at);
    add(lines_, {a, b}, frames + static_cast<int>(k));
    for (const auto& [end, point] : {std::pair{&connection.a, a}, {&connection.b, b}}) {
      if (end->frame < 0) continue;
      const SceneFrame& frame = scene.frames()[static_cast<std::size_t>(end->frame)];
      if (!frame.is_point() && frame.shapes.empty())
        add(lines_, {vertices_.cells[static_cast<std::size_t>(end->frame)][0], point}, end->frame);
    }
  }
  first_sample_ = points_.size();
  for (std::size_t k = 0; k < scene.lines().size(); ++k) {
    Cell cell;
    for (std::size_t i = 0; i < scene.lines()[k].samples; ++i) cell.push_back(add_point(-1, {}));
    add(lines_, cell, frames + static_cast<int>(scene.connections().size() + k));
  }
}

void VtkPictures::write_quantities(const std::vector<BentLine>& bent, std::ostream& out) const {
  std::vector<std::string> names;
  for (const SceneLine& line : scene_.lines()) {
    for (const SceneQuantity& quantity : line.quantities) {
      if (std::find(names.begin(), names.end(), quantity.name) == names.end()) names.push_back(quantity.name);
    }
  }
  if (names.empty()) return;
  out << "<PointData>\n";
  for (const std::string& name : names) {
    std::vector<double> values(first_sample_, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < bent.size(); ++i) {
      const SceneLine& line = scene_.lines()[i];
      const auto found = std::find_if(line.quantities.begin(), line.quantities.end(),
                                      [&](const SceneQuantity& quantity) { return quantity.name == name; });
      if (found == line.quantities.end()) {
        values.insert(values.end(), line.samples, std::numeric_limits<double>::quiet_NaN());
      } else {
        const auto& own = bent[i].values[static_cast<std::size_t>(found - line.quantities.begin())];
        values.insert(values.end(), own.begin(), own.end());
      }
    }
    data_array(out, "Float64", ("Name=\"" + xml_text(name) + "\"").c_str(), values,
               [](double x) { return std::isfinite(x) ? significant(x, 9) : std::string("nan"); });
  }
  out << "</PointData>\n";
}

void VtkPictures::write(const double* q, const double* v, std::ostream& out) const {
  const auto number = [](auto x) { return std::to_string(x); };
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
         "byte_order=\"LittleEndian\">\n<PolyData>\n"
      << "<Piece NumberOfPoints=\"" << points_.size() << "\" NumberOfVerts=\"" << vertices_.cells.size()
      << "\" NumberOfLines=\"" << lines_.cells.size() << "\" NumberOfStrips=\"0\" NumberOfPolys=\""
      << polygons_.cells.size() << "\">\n<Points>\n";
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < scene_.frames().size(); ++i) poses.push_back(scene_.pose(static_cast<int>(i), q));
  std::vector<Triple> places;
  for (const Point& point : points_) {
    places.push_back(point.frame < 0 ? point.local : poses[static_cast<std::size_t>(point.frame)].point(point.local));
  }
  const std::vector<BentLine> bent = scene_.bent_lines(q, v);
  std::size_t next = first_sample_;
  for (const BentLine& line : bent) {
    for (const Triple& p : line.positions) places[next++] = p;
  }
  data_array(out, "Float64", "NumberOfComponents=\"3\"", places, [](const Triple& p) {
    return significant(p[0], 9) + " " + significant(p[1], 9) + " " + significant(p[2], 9);
  });
  out << "</Points>\n";
  std::vector<int> objects;
  for (const auto& [tag, list] : {std::pair{"Verts", &vertices_}, {"Lines", &lines_}, {"Polys", &polygons_}}) {
    out << "<" << tag << ">\n";
    data_array(out, "Int64", "Name=\"connectivity\"", list->cells, [](const Cell& cell) {
      std::string text;
      for (const int i : cell) text += (text.empty() ? "" : " ") + std::to_string(i);
      return text;
    });
    std::vector<std::size_t> offsets;
    for (const Cell& cell : list->cells) offsets.push_back((offsets.empty() ? 0 : offsets.back()) + cell.size());
    data_array(out, "Int64", "Name=\"offsets\"", offsets, number);
    out << "</" << tag << ">\n";
    objects.insert(objects.end(), list->objects.begin(), list->objects.end());
  }
  write_quantities(bent, out);
  out << "<CellData Scalars=\"object\">\n";
  data_array(out, "Int32", "Name=\"object\"", objects, number);
  out << "</CellData>\n</Piece>\n</PolyData>\n</VTKFile>\n";
}

void write_pvd(const std::vector<double>& times, const std::vector<std::string>& files, std::ostream& out) {
  out << "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (std::size_t k = 0; k < times.size(); ++k) {
    out << "<DataSet timestep=\"" << shortest(times[k]) << "\" part=\"0\" file=\"" << xml_text(files[k]) << "\"/>\n";
  }
  out << "</Collection>\n</VTKFile>\n";
}

}  // namespace perilune::output
