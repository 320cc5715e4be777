#include "bindings/nbd/served_bytes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "sim/core/check.h"
#include "sim/core/error.h"

namespace ftlab {
namespace {

constexpr std::uint64_t kPieceBytes = 64 * 1024, kBlockBytes = 4096;
static_assert(kPieceBytes / kBlockBytes == 16, "a piece has 16 bits for its blocks");

// Bit masks of a piece's 4 KiB blocks that `length` bytes from byte `from` touch, and of those that they cover entirely.
unsigned touched(std::uint64_t from, std::uint64_t length) {
  return (2U << ((from + length - 1) / kBlockBytes)) - (1U << (from / kBlockBytes));
}
unsigned covered(std::uint64_t from, std::uint64_t length) {
  const std::uint64_t first = (from + kBlockBytes - 1) / kBlockBytes, end = (from + length) / kBlockBytes;
  return first < end ? (1U << end) - (1U << first) : 0;
}

class MemoryBytes final : public ByteStore {
 public:
  MemoryBytes(std::uint64_t capacity_bytes, std::uint64_t most_bytes)
      : pieces_((capacity_bytes + kPieceBytes - 1) / kPieceBytes), pieces_left_(most_bytes / kPieceBytes) {}

  void read(std::uint64_t offset, std::span<std::byte> out) override {
    in_pieces(offset, out.size(), [&](std::uint64_t piece, std::uint64_t from, std::uint64_t at, std::uint64_t length) {
      if (pieces_[piece])
        std::memcpy(out.data() + at, pieces_[piece]->bytes.data() + from, length);
      else
        std::memset(out.data() + at, 0, length);
    });
  }

  void write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    in_pieces(offset, bytes.size(), [&](std::uint64_t piece, std::uint64_t from, std::uint64_t at, std::uint64_t length) {
      if (!pieces_[piece]) take(piece);
      std::memcpy(pieces_[piece]->bytes.data() + from, bytes.data() + at, length);
      pieces_[piece]->written |= touched(from, length);
    });
  }

  void discard(std::uint64_t offset, std::uint64_t length) override {
    in_pieces(offset, length, [&](std::uint64_t piece, std::uint64_t from, std::uint64_t, std::uint64_t part) {
      if (!pieces_[piece]) return;
      std::memset(pieces_[piece]->bytes.data() + from, 0, part);
      pieces_[piece]->written &= ~covered(from, part);
      if (pieces_[piece]->written != 0) return;
      pieces_[piece].reset();
      ++pieces_left_;
    });
  }

  std::vector<StoredRange> written(StoredRange range) override {
    std::vector<StoredRange> ranges;
    in_pieces(range.offset, range.length, [&](std::uint64_t piece, std::uint64_t from, std::uint64_t, std::uint64_t part) {
      if (!pieces_[piece]) return;
      for (std::uint64_t block = from / kBlockBytes; block * kBlockBytes < from + part; ++block) {
        if ((pieces_[piece]->written >> block & 1) == 0) continue;
        append_range(ranges, piece * kPieceBytes + std::max(from, block * kBlockBytes),
                     piece * kPieceBytes + std::min(from + part, (block + 1) * kBlockBytes));
      }
    });
    return ranges;
  }

 private:
  struct Piece {
    std::array<std::byte, kPieceBytes> bytes{};
    unsigned written = 0;  // one bit per block
  };

  void take(std::uint64_t piece) {
    if (pieces_left_ == 0) throw std::system_error(ENOSPC, std::generic_category(), "the bytes of a served drive in memory");
    pieces_[piece] = std::make_unique<Piece>();
    --pieces_left_;
  }

  template <class Action>
  void in_pieces(std::uint64_t offset, std::uint64_t length, Action action) {
    for (std::uint64_t at = 0; at < length;) {
      const std::uint64_t piece = (offset + at) / kPieceBytes, from = (offset + at) % kPieceBytes;
      FTLAB_CHECK(piece < pieces_.size(), "bytes beyond the end of a served drive");
      const std::uint64_t part = std::min(length - at, kPieceBytes - from);
      action(piece, from, at, part);
      at += part;
    }
  }

  std::vector<std::unique_ptr<Piece>> pieces_;
  std::uint64_t pieces_left_;
};

[[noreturn]] void fail(const std::string& path) { throw std::system_error(errno, std::generic_category(), path); }

class FileBytes final : public ByteStore {
 public:
  FileBytes(const std::string& path, std::uint64_t capacity_bytes)
      : path_(path), fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (fd_ < 0) refuse(std::string("cannot be opened: ") + std::strerror(errno));
    try {
      check(capacity_bytes);
    } catch (...) {
      ::close(fd_);
      throw;
    }
  }
  ~FileBytes() override { ::close(fd_); }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  void read(std::uint64_t offset, std::span<std::byte> out) override {
    for (std::size_t done = 0; done < out.size();) {
      const ssize_t got = ::pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(path_);
      if (got == 0) throw std::system_error(EIO, std::generic_category(), path_ + ": is shorter than before");
      done += static_cast<std::size_t>(got);
    }
  }

  void write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t put = ::pwrite(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail(path_);
      done += static_cast<std::size_t>(put);
    }
  }

  void discard(std::uint64_t offset, std::uint64_t length) override {
    if (length == 0) return;
    const int holes = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    if (::fallocate(fd_, holes, static_cast<off_t>(offset), static_cast<off_t>(length)) == 0) return;
    if (errno != EOPNOTSUPP) fail(path_);
    const std::vector<std::byte> zeros(kPieceBytes);
    for (std::uint64_t at = 0; at < length; at += kPieceBytes)
      write(offset + at, std::span(zeros).first(std::min(kPieceBytes, length - at)));
  }

  std::vector<StoredRange> written(StoredRange range) override {
    std::vector<StoredRange> ranges;
    for (std::uint64_t at = range.offset; at < range.end();) {
      const off_t data = ::lseek(fd_, static_cast<off_t>(at), SEEK_DATA);
      if (data < 0 && errno == ENXIO) break;
      if (data < 0) fail(path_);
      const off_t hole = ::lseek(fd_, data, SEEK_HOLE);
      if (hole < 0) fail(path_);
      append_range(ranges, static_cast<std::uint64_t>(data), std::min(static_cast<std::uint64_t>(hole), range.end()));
      at = static_cast<std::uint64_t>(hole);
    }
    return ranges;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& value = {}, const std::string& allowed = {}) {
    throw ConfigError({"--data", 0}, "", path_ + " " + problem, value, allowed);
  }

  void check(std::uint64_t capacity_bytes) {
    struct stat about {};
    if (::fstat(fd_, &about) != 0) fail(path_);
    if (!S_ISREG(about.st_mode)) refuse("is not a regular file");
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) refuse("is in use by another server");
    if (about.st_size == 0) {
      if (::ftruncate(fd_, static_cast<off_t>(capacity_bytes)) != 0)
        refuse(std::string("cannot have the size of the drive: ") + std::strerror(errno));
    } else if (static_cast<std::uint64_t>(about.st_size) != capacity_bytes) {
      refuse("has another size than the drive", std::to_string(about.st_size),
             "an empty file, or one of " + std::to_string(capacity_bytes) + " bytes");
    }
  }

  std::string path_;
  int fd_;
};

}  // namespace

void append_range(std::vector<StoredRange>& ranges, std::uint64_t from, std::uint64_t to) {
  if (from >= to) return;
  if (!ranges.empty() && ranges.back().end() == from)
    ranges.back().length += to - from;
  else
    ranges.push_back({from, to - from});
}

std::unique_ptr<ByteStore> bytes_in_memory(std::uint64_t capacity_bytes, std::uint64_t most_bytes) {
  return std::make_unique<MemoryBytes>(capacity_bytes, most_bytes);
}

std::unique_ptr<ByteStore> bytes_in_file(const std::string& path, std::uint64_t capacity_bytes) {
  return std::make_unique<FileBytes>(path, capacity_bytes);
}

ServedBytes::ServedBytes(std::unique_ptr<ByteStore> store, const ServedPages& pages, bool loses, std::uint64_t newest)
    : store_(std::move(store)), pages_(pages), loses_(loses), open_(pages.rules, newest) {}

std::uint64_t ServedBytes::page_length(std::uint64_t page) const {
  return std::min(pages_.rules.page_bytes, pages_.capacity_bytes - page * pages_.rules.page_bytes);
}

void ServedBytes::read(std::uint64_t offset, std::span<std::byte> out) {
  store_->read(offset, out);
  if (bytes_.empty()) return;
  const std::uint64_t end = offset + out.size(), size = pages_.rules.page_bytes;
  for (std::uint64_t page = offset / size; page * size < end; ++page) {
    const std::uint64_t latest = open_.latest(page);
    if (latest == OpenChanges::kNone) continue;
    const PageBytes& bytes = bytes_[latest];
    const std::uint64_t from = std::max(offset, page * size), to = std::min(end, page * size + page_length(page));
    if (bytes.empty())
      std::memset(out.data() + (from - offset), 0, to - from);
    else
      std::memcpy(out.data() + (from - offset), bytes.data() + (from - page * size), to - from);
  }
}

void ServedBytes::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!loses_) return store_->write(offset, bytes);
  const std::uint64_t end = offset + bytes.size(), size = pages_.rules.page_bytes;
  for (std::uint64_t page = offset / size; page * size < end; ++page) {
    const std::uint64_t first = page * size, length = page_length(page);
    const std::uint64_t from = std::max(offset, first), to = std::min(end, first + length);
    PageBytes after(length);
    if (to - from < length) read(first, after);
    std::memcpy(after.data() + (from - first), bytes.data() + (from - offset), to - from);
    bytes_.push_back(std::move(after));
    open_.write_page(page);
  }
}

void ServedBytes::trim(std::uint64_t offset, std::uint64_t length) {
  const ChangeRules::Range range = pages_.rules.trimmed(offset, length);
  if (range.offset == range.end) return;
  if (!loses_) return store_->discard(range.offset, range.end - range.offset);
  open_.trim(offset, length);
  bytes_.resize(open_.count());
}

void ServedBytes::apply(std::uint64_t page, const PageBytes& bytes) {
  const std::uint64_t first = page * pages_.rules.page_bytes;
  if (bytes.empty())
    store_->discard(first, page_length(page));
  else
    store_->write(first, bytes);
}

void ServedBytes::settle(std::uint64_t mark) {
  open_.settle(mark, [this](const OpenChanges::Change& change) {
    apply(change.page, bytes_.front());
    bytes_.pop_front();
  });
}

std::uint64_t ServedBytes::lose(const std::function<std::uint64_t(std::uint64_t page)>& version_of, std::uint64_t newest) {
  return open_.lose(version_of, newest, [this](const OpenChanges::Change& change, bool holds) {
    if (holds) apply(change.page, bytes_.front());
    bytes_.pop_front();
  });
}

std::vector<StoredRange> ServedBytes::written(StoredRange range) const {
  const std::vector<StoredRange> stored = store_->written(range);
  if (bytes_.empty()) return stored;
  std::vector<StoredRange> ranges;
  auto next = stored.begin();
  for (std::uint64_t at = range.offset; at < range.end();) {
    const std::uint64_t page = at / pages_.rules.page_bytes,
                        end = std::min(range.end(), (page + 1) * pages_.rules.page_bytes);
    while (next != stored.end() && next->end() <= at) ++next;
    const std::uint64_t changed = open_.latest(page);
    if (changed == OpenChanges::kNone) {
      for (auto part = next; part != stored.end() && part->offset < end; ++part)
        append_range(ranges, std::max(at, part->offset), std::min(end, part->end()));
    } else if (!bytes_[changed].empty()) {
      append_range(ranges, at, end);
    }
    at = end;
  }
  return ranges;
}

}  // namespace ftlab
