/* Prints a file of a tag, out of the packs of a built folder:
 *
 *   cc packs.c -o packs -lphysfs -lcjson
 *   ./packs DIR "Level 1" Levels/1/map.json
 */
#include <cjson/cJSON.h>
#include <physfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, PHYSFS_getErrorByCode(PHYSFS_getLastErrorCode()));
  return 1;
}

/* A whole file that PhysicsFS finds, with a zero behind it; NULL without one. */
static char *contents(const char *path, PHYSFS_sint64 *size) {
  PHYSFS_File *file = PHYSFS_openRead(path);
  if (!file) return NULL;
  *size = PHYSFS_fileLength(file);
  char *bytes = *size < 0 ? NULL : malloc((size_t)*size + 1);
  if (bytes && PHYSFS_readBytes(file, bytes, (PHYSFS_uint64)*size) == *size)
    bytes[*size] = 0;
  else
    free(bytes), bytes = NULL;
  PHYSFS_close(file);
  return bytes;
}

static const char *text(const cJSON *object, const char *key) {
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* Mounts the packs that have a tag; each is found below the folder, which is mounted first. */
static int mount(const cJSON *index, const char *folder, const char *tag) {
  int count = 0;
  const cJSON *pack, *name;
  cJSON_ArrayForEach(pack, cJSON_GetObjectItemCaseSensitive(index, "packs")) {
    cJSON_ArrayForEach(name, cJSON_GetObjectItemCaseSensitive(pack, "tags")) {
      if (!cJSON_IsString(name) || strcmp(name->valuestring, tag)) continue;
      char path[4096];
      const char *archive = text(cJSON_GetObjectItemCaseSensitive(pack, "archive"), "path");
      snprintf(path, sizeof path, "%s/%s", folder, archive ? archive : "");
      if (!PHYSFS_mount(path, "/packs", 1)) return -fail(path);
      count++;
    }
  }
  return count;
}

int main(int count, char **arguments) {
  if (count != 4) return fprintf(stderr, "usage: packs DIR TAG FILE\n"), 2;
  if (!PHYSFS_init(arguments[0]) || !PHYSFS_mount(arguments[1], "/", 1)) return fail(arguments[1]);
  PHYSFS_sint64 size;
  char *json = contents("index.json", &size);
  if (!json) return fail("index.json");
  cJSON *index = cJSON_Parse(json);
  free(json);
  int mounted = mount(index, arguments[1], arguments[2]);
  cJSON_Delete(index);
  if (mounted < 0) return 1;
  if (mounted == 0) return fprintf(stderr, "no pack has the tag \"%s\"\n", arguments[2]), 1;

  char path[4096];
  snprintf(path, sizeof path, "packs/%s", arguments[3]);
  char *bytes = contents(path, &size);
  if (!bytes) return fail(path);
  fwrite(bytes, 1, (size_t)size, stdout);
  free(bytes);
  return PHYSFS_deinit() ? 0 : fail("PhysicsFS");
}
