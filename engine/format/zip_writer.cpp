// SPDX-License-Identifier: MIT
#include "format/zip_writer.hpp"

#include <minizip/zip.h>

#include <algorithm>
#include <limits>

#include "error.hpp"

namespace perilune::format {

ZipWriter::ZipWriter(const std::string& path) : path_(path), archive_(zipOpen64(path.c_str(), APPEND_STATUS_CREATE)) {
  if (!archive_) throw Error("cannot write '" + path + "'");
}

ZipWriter::~ZipWriter() {
  if (archive_) zipClose(archive_, nullptr);
}

void ZipWriter::add(const std::string& name, const std::string& bytes) {
  // Without a time, so that equal contents make equal files: zip's own earliest day.
  zip_fileinfo info = {};
  info.tmz_date.tm_year = 1980;
  info.tmz_date.tm_mday = 1;
  constexpr int level = 6;
  bool is_written = zipOpenNewFileInZip64(archive_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED,
                                          level, 0) == ZIP_OK;
  constexpr std::size_t piece = std::size_t{1} << 24;
  for (std::size_t at = 0; is_written && at < bytes.size(); at += piece) {
    const auto count = static_cast<unsigned>(std::min(piece, bytes.size() - at));
    is_written = zipWriteInFileInZip(archive_, bytes.data() + at, count) == ZIP_OK;
  }
  if (!is_written || zipCloseFileInZip(archive_) != ZIP_OK)
    throw Error("cannot write '" + name + "' into '" + path_ + "'");
}

void ZipWriter::close() {
  void* archive = archive_;
  archive_ = nullptr;
  if (zipClose(archive, nullptr) != ZIP_OK) throw Error("cannot write '" + path_ + "'");
}

}  // namespace perilune::format
