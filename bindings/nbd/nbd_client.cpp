#include "bindings/nbd/nbd_client.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "sim/core/error.h"

namespace ftlab {
namespace {

// https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md
constexpr std::uint64_t kMagic = 0x4e42444d41474943, kOptionMagic = 0x49484156454f5054;
constexpr std::uint64_t kOptionReplyMagic = 0x0003e889045565a9;
constexpr std::uint32_t kRequestMagic = 0x25609513, kReplyMagic = 0x67446698;
constexpr std::uint32_t kFixedNewstyle = 1, kOptionGo = 7, kAcknowledged = 1, kAbout = 3;
constexpr std::uint16_t kAboutExport = 0, kRead = 0, kDisconnect = 2;
constexpr std::uint64_t kMostBytes = 1 << 20;
constexpr int kPatienceS = 5;

sockaddr_un address_of(const std::string& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket.size() >= sizeof address.sun_path)
    throw ConfigError({socket, 0}, "", "is too long for the path of a socket", std::to_string(socket.size()) + " bytes",
                      "at most " + std::to_string(sizeof address.sun_path - 1));
  std::memcpy(address.sun_path, socket.c_str(), socket.size());
  return address;
}

class Connection {
 public:
  explicit Connection(const std::string& socket) : name_(socket), fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{kPatienceS, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const sockaddr_un address = address_of(socket);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      const int error = errno;
      ::close(fd_);
      throw ConfigError({socket, 0}, "", std::string("nothing is served there: ") + std::strerror(error));
    }
  }
  ~Connection() { ::close(fd_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(const std::string& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t put = ::send(fd_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (put <= 0) fail("broke off");
      done += static_cast<std::size_t>(put);
    }
  }
  std::string take(std::uint64_t count) {
    if (count > kMostBytes) fail("wants to send more than a megabyte");
    std::string bytes(count, '\0');
    for (std::size_t done = 0; done < count;) {
      const ssize_t got = ::recv(fd_, bytes.data() + done, count - done, 0);
      if (got <= 0) fail("broke off");
      done += static_cast<std::size_t>(got);
    }
    return bytes;
  }
  template <class Number>
  Number number() {
    const std::string bytes = take(sizeof(Number));
    return number_in<Number>(bytes);
  }
  template <class Number>
  static Number number_in(const std::string& bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return static_cast<Number>(value);
  }
  [[noreturn]] void fail(const std::string& what) { throw ConfigError({name_, 0}, "", "the server there " + what); }

 private:
  std::string name_;
  int fd_;
};

template <class Number>
std::string bytes_of(Number number) {
  std::string bytes;
  for (std::size_t i = sizeof(Number); i-- > 0;) bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i));
  return bytes;
}

// Returns the size of the export.
std::uint64_t choose_export(Connection& server, const std::string& name) {
  if (server.number<std::uint64_t>() != kMagic || server.number<std::uint64_t>() != kOptionMagic)
    server.fail("does not speak NBD");
  server.number<std::uint16_t>();
  const std::string asked = bytes_of(static_cast<std::uint32_t>(name.size())) + name + bytes_of(std::uint16_t{0});
  server.send(bytes_of(kFixedNewstyle) + bytes_of(kOptionMagic) + bytes_of(kOptionGo) +
              bytes_of(static_cast<std::uint32_t>(asked.size())) + asked);
  std::uint64_t size = 0;
  while (true) {
    if (server.number<std::uint64_t>() != kOptionReplyMagic) server.fail("does not speak NBD");
    server.number<std::uint32_t>();
    const auto kind = server.number<std::uint32_t>();
    const std::string told = server.take(server.number<std::uint32_t>());
    if (kind == kAcknowledged) return size;
    if (kind != kAbout) server.fail("has no export " + name);
    if (told.size() >= 10 && Connection::number_in<std::uint16_t>(told) == kAboutExport)
      size = Connection::number_in<std::uint64_t>(told.substr(2));
  }
}

std::string request(std::uint16_t command, std::uint32_t length) {
  return bytes_of(kRequestMagic) + bytes_of(std::uint16_t{0}) + bytes_of(command) + bytes_of(std::uint64_t{1}) +
         bytes_of(std::uint64_t{0}) + bytes_of(length);
}

}  // namespace

std::string read_export(const std::string& socket, const std::string& name) {
  Connection server(socket);
  const std::uint64_t size = choose_export(server, name);
  if (size > kMostBytes) server.fail("has an export " + name + " of more than a megabyte");
  server.send(request(kRead, static_cast<std::uint32_t>(size)));
  if (server.number<std::uint32_t>() != kReplyMagic) server.fail("does not speak NBD");
  if (server.number<std::uint32_t>() != 0) server.fail("could not read its export " + name);
  server.number<std::uint64_t>();
  std::string bytes = server.take(size);
  server.send(request(kDisconnect, 0));
  return bytes;
}

bool somebody_listens(const std::string& socket) {
  try {
    const Connection server(socket);
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

}  // namespace ftlab
