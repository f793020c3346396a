/* Calls every function of OnDemandC.h, and says at which line one does something else than the header says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "OnDemandC.h"

#define NEED(condition)                                                                    \
  do {                                                                                     \
    if (!(condition)) {                                                                    \
      fprintf(stderr, "line %d: %s; the last error: %s\n", __LINE__, #condition, od_error()); \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

/* Polls a task until it is not running; ten minutes at most. */
static int wait_for(od_task *task) {
  int status = OD_RUNNING;
  for (int count = 0; count < 60000 && (status = od_poll(task, NULL, NULL)) == OD_RUNNING; count++) {
    const struct timespec while_frame = {0, 10000000};
    nanosleep(&while_frame, NULL);
  }
  return status;
}

int main(int count, char **words) {
  NEED(count == 3);
  const char *const one[] = {"One"}, *const big[] = {"Big"}, *const both[] = {"One", "Two"}, *const wrong[] = {"One", NULL};
  int64_t bytes = -1, total = -1;

  NEED(strcmp(od_error(), "") == 0);
  NEED(!od_open(NULL, words[2], NULL) && strlen(od_error()) > 0);
  NEED(!od_open(words[1], "\xff", NULL));
  NEED(!od_open(words[1], words[2], "{\"conections\": 2}") && strstr(od_error(), "conections"));
  NEED(!od_open(words[1], words[2], "{\"connections\": \"2\"}") && strstr(od_error(), "connections"));
  NEED(!od_open(words[1], words[2], "[]"));

  od_store *store = od_open(words[1], words[2], "{\"connections\": 3, \"patience\": 600, \"headers\": {\"X-A\": \"b\"}}");
  NEED(store);
  NEED(!od_open(words[1], words[2], NULL));
  NEED(od_tag(store, 0) == NULL);
  NEED(od_state(store, "One") == OD_MISSING);
  NEED(od_update_size(store) == OD_NO_UPDATE && !od_apply(store) && !od_download(store));

  od_task *check = od_check(store);
  NEED(wait_for(check) == OD_DONE);
  od_end(check);
  NEED(od_update_size(store) == 0);
  od_task *download = od_download(store);
  NEED(download && wait_for(download) == OD_DONE);
  od_end(download);
  od_task *apply = od_apply(store);
  NEED(apply && wait_for(apply) == OD_DONE);
  od_end(apply);
  NEED(strcmp(od_tag(store, 0), "Big") == 0 && strcmp(od_tag(store, 2), "Two") == 0 && !od_tag(store, 3));
  NEED(!od_tag(store, -1));
  NEED(od_size(store, both, 2) > od_size(store, one, 1) && od_size(store, one, 1) > 300000);
  NEED(od_size(store, wrong, 2) == OD_BAD_ARGUMENT && od_size(store, one, 0) == OD_BAD_ARGUMENT);
  NEED(!od_request(store, wrong, 2) && !od_request(store, NULL, 1));

  od_task *install = od_install(store);
  NEED(install && wait_for(install) == OD_DONE);
  NEED(od_priority(install, 1) == OD_BAD_HANDLE && od_path(install, "one/größe.txt") == NULL);
  od_end(install);

  od_task *paused = od_request(store, big, 1);
  NEED(od_pause(paused, 1) == 0 && od_path(paused, "big") == NULL);
  NEED(od_poll(paused, &bytes, &total) == OD_RUNNING && bytes >= 0);
  od_task *request = od_request(store, one, 1);
  NEED(od_priority(request, OD_URGENT) == 0 && od_priority(request, 0.1) == 0);
  NEED(wait_for(request) == OD_DONE);
  NEED(od_poll(request, &bytes, &total) == OD_DONE && bytes == total && total > 300000);
  const char *path = od_path(request, "one/größe.txt");
  NEED(path && path == od_path(request, "one/größe.txt"));
  NEED(!od_path(request, "two/other.txt") && !od_path(request, NULL) && !od_archive(request, 0));
  NEED(od_state(store, "One") == OD_IN_USE && od_state(store, "Two") == OD_PARTIAL);
  NEED(od_remove(store, one, 1) == 0);
  od_end(request);
  NEED(od_poll(request, NULL, NULL) == OD_BAD_HANDLE && od_pause(request, 1) == OD_BAD_HANDLE);
  NEED(od_state(store, "One") == OD_DOWNLOADED);
  NEED(od_remove(store, one, 1) > 300000 && od_state(store, "One") == OD_MISSING);

  NEED(od_poll(paused, NULL, NULL) == OD_RUNNING && od_pause(paused, 0) == 0);
  od_end(paused);

  od_task *unknown = od_request(store, (const char *const[]){"Three"}, 1);
  NEED(wait_for(unknown) == OD_INVALID_TAG && strstr(od_error(), "Three"));
  od_end(unknown);
  NEED(od_network(store, 0) == 0);
  od_task *offline = od_request(store, one, 1);
  NEED(wait_for(offline) == OD_OFFLINE);
  od_end(offline);
  NEED(od_network(store, 1) == 0);

  /* A handle of another kind is refused, and closing twice does no harm. */
  NEED(od_state((od_store *)offline, "One") == OD_BAD_HANDLE && od_poll((od_task *)store, NULL, NULL) == OD_BAD_HANDLE);
  od_task *last = od_request(store, big, 1);
  od_close(store);
  NEED(wait_for(last) == OD_CLOSED);
  od_end(last);
  od_end(last);
  od_close(store);
  NEED(od_state(store, "One") == OD_BAD_HANDLE && od_state(NULL, "One") == OD_BAD_HANDLE);
  puts("all as the header says");
  return 0;
}
