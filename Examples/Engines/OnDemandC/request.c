/* Requests a tag through OnDemandC, shows the progress, and prints a file of the tag.
 *
 *   cc request.c -o request -I../../../Sources/OnDemandC -L../../../.build/debug -lOnDemandC
 *   ./request STORE URL "Level 1" Levels/1/map.json
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "OnDemandC.h"

static int fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, od_error());
  return 1;
}

static void wait_a_frame(void) {
  const struct timespec frame = {0, 16666667};
  nanosleep(&frame, NULL);
}

int main(int count, char **words) {
  if (count != 5) {
    fprintf(stderr, "usage: request STORE URL TAG FILE\n");
    return 2;
  }
  od_store *store = od_open(words[1], words[2], "{\"connections\": 2}");
  if (!store) return fail("open");
  const char *const tags[] = {words[3]};
  od_task *request = od_request(store, tags, 1);
  if (!request) return fail("request");
  od_priority(request, OD_URGENT);

  int64_t bytes = 0, total = 0, shown = -1;
  int status;
  /* A game draws a frame here instead. */
  while ((status = od_poll(request, &bytes, &total)) == OD_RUNNING) {
    if (bytes != shown) fprintf(stderr, "%" PRId64 " of %" PRId64 " bytes\n", shown = bytes, total);
    wait_a_frame();
  }
  if (status < 0) return fail(words[3]);
  fprintf(stderr, "%" PRId64 " of %" PRId64 " bytes, done\n", bytes, total);

  const char *path = od_path(request, words[4]);
  if (!path) return fail(words[4]);
  FILE *file = fopen(path, "rb");
  if (!file) return 1;
  char part[4096];
  for (size_t size; (size = fread(part, 1, sizeof part, file)) > 0;) fwrite(part, 1, size, stdout);
  fclose(file);

  od_end(request);
  od_close(store);
  return 0;
}
