/* OnDemand for programs in C and in every language that can call C: packs of assets by tags, from a web server.
 *
 * Strings are UTF-8. Handles are opaque: a handle that was closed, or NULL, is refused with OD_BAD_HANDLE. Every
 * function can be called from any thread, and nothing is called back: a program polls a task once a frame. Only
 * od_open, od_close and od_remove wait for the disk; none waits for the network.
 *
 * A string that a function returns stays where it is until its handle is closed, od_error's until the next
 * call of this thread that fails. Do not free it.
 */
#ifndef ONDEMANDC_H
#define ONDEMANDC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A folder on this device with the packs of one app. */
typedef struct od_store od_store;
/* A request, an install, a check or an update: something to poll. */
typedef struct od_task od_task;

/* What od_poll returns: below 0 is one of the errors below. */
enum { OD_RUNNING = 0, OD_DONE = 1 };

/* What od_state returns. */
enum { OD_MISSING = 0, OD_PARTIAL = 1, OD_DOWNLOADED = 2, OD_IN_USE = 3 };

/* The priority before all others: while such a task waits, nothing else is downloaded. */
#define OD_URGENT 2.0

/* Errors; those of three digits are this interface's own, -4992 to -4994 are Apple's. */
enum {
  OD_OFFLINE = -1,
  OD_UNREACHABLE = -2,
  OD_REFUSED = -3,
  OD_RELEASE_GONE = -4,
  OD_DAMAGED = -5,
  OD_UNTRUSTED = -6,
  OD_UNSUPPORTED_CONTAINER = -7,
  OD_NOT_HELD = -8,
  OD_UPDATE_REPLACED = -9,
  OD_ENDED = -10,
  OD_CLOSED = -11,
  OD_FOLDER_IN_USE = -12,
  OD_STORAGE = -13,
  OD_BAD_HANDLE = -100,
  OD_BAD_ARGUMENT = -101,
  OD_NO_UPDATE = -102,
  OD_OUT_OF_SPACE = -4992,
  OD_IN_USE_LIMIT = -4993,
  OD_INVALID_TAG = -4994
};

/* What the last call of this thread that failed had to say; "" if none has failed. */
const char *od_error(void);

/* Opens a store, and makes its folder if it does not exist. NULL if that fails.
 *
 * options is NULL for the defaults, or JSON: {"connections": 4, "servers": ["https://…"], "patience": 30,
 * "space": 1000000000, "inUse": 2000000000, "bundleIdentifier": "com.example.game", "minimumRelease": 7,
 * "publicKeys": ["RW…"], "headers": {"Authorization": "…"}, "allowsCellular": true, "allowsConstrained": true,
 * "waitsForFolder": false, "keepsArchives": false}. */
od_store *od_open(const char *folder, const char *server, const char *options);
/* Ends all requests, and gives the folder back. Tasks of the store end with OD_CLOSED, and still need od_end. */
void od_close(od_store *store);

/* The tag at a place in the sorted list of the current release's tags; NULL after the last. */
const char *od_tag(od_store *store, int32_t place);
/* OD_MISSING to OD_IN_USE, or an error below 0. */
int32_t od_state(od_store *store, const char *tag);
/* Bytes over the network that some tags still need, or an error below 0. Unknown tags count nothing. */
int64_t od_size(od_store *store, const char *const *tags, int32_t count);
/* Deletes the packs of some tags that no request holds: the bytes that they took up, or an error below 0. */
int64_t od_remove(od_store *store, const char *const *tags, int32_t count);
/* Says whether there is a network: 0 or 1. Without one, requests that lack packs fail immediately. */
int32_t od_network(od_store *store, int32_t is_available);

/* Requests all packs of some tags: what is missing is downloaded. NULL if an argument is wrong. */
od_task *od_request(od_store *store, const char *const *tags, int32_t count);
/* Downloads the initial install, then the prefetch in the background. */
od_task *od_install(od_store *store);
/* Asks the server for a newer release. It changes nothing; od_update_size has the answer when it is done. */
od_task *od_check(od_store *store);
/* Bytes that the release found by od_check still needs; OD_NO_UPDATE if there is no newer one. */
int64_t od_update_size(od_store *store);
/* Downloads that release next to the current one, whose packs can be used in the meantime. */
od_task *od_download(od_store *store);
/* Downloads what is left of it, and makes it the current release, atomically. */
od_task *od_apply(od_store *store);

/* OD_RUNNING, OD_DONE, or an error below 0, which od_error then explains. bytes and total, each NULL or a place
 * for bytes over the network, get what came and what there is in all. */
int32_t od_poll(od_task *task, int64_t *bytes, int64_t *total);
/* How soon a request's packs are downloaded among others: 0 to 1, 0.5 at first, or OD_URGENT. */
int32_t od_priority(od_task *task, double priority);
/* Stops the download of a request, 1, or resumes it, 0. */
int32_t od_pause(od_task *task, int32_t is_paused);
/* The file of a request's packs at a path within the pack; NULL if the request is not done or lacks it. */
const char *od_path(od_task *task, const char *path);
/* With "keepsArchives": the zip file at a place in the list of a request's archives; NULL after the last. */
const char *od_archive(od_task *task, int32_t place);
/* Ends a task, and gives its packs back; files whose paths it returned may go now. */
void od_end(od_task *task);

#ifdef __cplusplus
}
#endif

#endif
