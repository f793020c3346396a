#include <microhttpd.h>

// The socket of a connection; -1 where there is none. Swift cannot call functions of any number of arguments.
static inline int connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
