/* The OnDemand library for C, and for every language that can call C: it downloads asset packs by tag from a web
 * server.
 *
 * Strings are UTF-8. Handles are opaque; functions reject a closed handle or NULL with OD_BAD_HANDLE. You can call
 * every function from any thread. There are no callbacks: poll a task once per frame. Only od_open, od_close and
 * od_remove wait for the disk. No function waits for the network.
 *
 * A string that a function returns is valid until its handle is closed; the string of od_error is valid until the
 * next call of this thread that fails. Do not free strings.
 */
#ifndef ONDEMANDC_H
#define ONDEMANDC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A folder on this device with the packs of one app. */
typedef struct od_store od_store;
/* A task that you poll: a request, an install, a check or an update. */
typedef struct od_task od_task;

/* Results of od_poll; a negative result is one of the errors below. */
enum { OD_RUNNING = 0, OD_DONE = 1 };

/* Results of od_state. */
enum { OD_MISSING = 0, OD_PARTIAL = 1, OD_DOWNLOADED = 2, OD_IN_USE = 3 };

/* The highest priority: while a task with it waits, nothing else is downloaded. */
#define OD_URGENT 2.0

/* Errors. Codes with three digits exist only in this C interface; -4992 to -4994 are Apple's codes. */
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

/* The message of the last call of this thread that failed; "" if none has failed. */
const char *od_error(void);

/* Opens a store, making its folder if it does not exist. Returns NULL if that fails.
 *
 * options is NULL for the defaults, or JSON: {"connections": 4, "servers": ["https://…"], "patience": 30,
 * "space": 1000000000, "inUse": 2000000000, "bundleIdentifier": "com.example.game", "minimumRelease": 7,
 * "publicKeys": ["RW…"], "headers": {"Authorization": "…"}, "allowsCellular": true, "allowsConstrained": true,
 * "waitsForFolder": false, "keepsArchives": false}. */
od_store *od_open(const char *folder, const char *server, const char *options);
/* Ends all requests and unlocks the folder. Tasks of the store end with OD_CLOSED; they still need od_end. */
void od_close(od_store *store);

/* The tag at an index (from 0) in the sorted tags of the current release; NULL after the last tag. */
const char *od_tag(od_store *store, int32_t place);
/* The state of a tag, OD_MISSING to OD_IN_USE, or a negative error. */
int32_t od_state(od_store *store, const char *tag);
/* Bytes that some tags still need over the network, or a negative error. Unknown tags do not count. */
int64_t od_size(od_store *store, const char *const *tags, int32_t count);
/* Deletes packs of some tags that no request holds. Returns the bytes that they took up, or a negative error. */
int64_t od_remove(od_store *store, const char *const *tags, int32_t count);
/* Sets whether there is a network: 0 or 1. Without it, requests with missing packs fail immediately. */
int32_t od_network(od_store *store, int32_t is_available);

/* Requests all packs of some tags, and downloads missing packs. Returns NULL if an argument is wrong. */
od_task *od_request(od_store *store, const char *const *tags, int32_t count);
/* Downloads the initial install, then the prefetch in the background. */
od_task *od_install(od_store *store);
/* Asks the server for a newer release, without applying it. When the task is done, call od_update_size. */
od_task *od_check(od_store *store);
/* Bytes that the release found by od_check still needs; OD_NO_UPDATE if there is no newer release. */
int64_t od_update_size(od_store *store);
/* Downloads the release found by od_check. In the meantime, the packs of the current release can be used. */
od_task *od_download(od_store *store);
/* Downloads the missing packs of that release, and makes it the current release, atomically. */
od_task *od_apply(od_store *store);

/* OD_RUNNING, OD_DONE, or a negative error, which od_error then explains. *bytes is set to the bytes that have
 * arrived over the network, and *total to the bytes of all packs; either pointer can be NULL. */
int32_t od_poll(od_task *task, int64_t *bytes, int64_t *total);
/* Sets the priority of a request's download: 0 to 1 (at first 0.5), or OD_URGENT. */
int32_t od_priority(od_task *task, double priority);
/* Pauses the download of a request (1), or resumes it (0). */
int32_t od_pause(od_task *task, int32_t is_paused);
/* A file of a request's packs, by its path within the pack; NULL if the request is not done or has no such file. */
const char *od_path(od_task *task, const char *path);
/* With "keepsArchives": the zip file at an index in the list of a request's archives; NULL after the last. */
const char *od_archive(od_task *task, int32_t place);
/* Ends a task and releases its packs. Files whose paths it returned can be deleted from now on. */
void od_end(od_task *task);

#ifdef __cplusplus
}
#endif

#endif
