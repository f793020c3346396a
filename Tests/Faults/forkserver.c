/* Starts a program once and runs it many times; to be named in LD_PRELOAD.
 *
 * Before the program's main runs, the process waits at descriptor 198. For each byte that it reads there it makes a
 * copy of itself, which runs the program with what it says going to the file FORK_SAID, and writes three numbers of 64
 * bits to descriptor 199: the status of wait, microseconds of work, and the largest resident set in KiB. That saves
 * loading and linking, which take far longer than a look at a small folder. The arguments are the same every time.
 *
 *   FORK_SAID      a file, for standard error
 *   FORK_SECONDS   how long a copy may work, and ten times that is how long it may wait
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUESTS = 198, REPLIES = 199 };

/* What a copy does before it is the program. */
static void prepare(void) {
  int said = open(getenv("FORK_SAID"), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  int nothing = open("/dev/null", O_WRONLY);
  if (said < 0 || nothing < 0 || dup2(nothing, 1) < 0 || dup2(said, 2) < 0) _exit(99);
  close(said);
  close(nothing);
  close(REQUESTS);
  close(REPLIES);
  rlim_t seconds = (rlim_t)atoi(getenv("FORK_SECONDS"));
  struct rlimit work = {seconds, seconds};
  if (setrlimit(RLIMIT_CPU, &work) != 0) _exit(99);
  alarm((unsigned)seconds * 10);
}

/* Serves until there are no more requests; returns in the copies alone. */
static void serve(void) {
  char request;
  while (read(REQUESTS, &request, 1) == 1) {
    pid_t copy = fork();
    if (copy == 0) return prepare();
    int status = 0;
    struct rusage usage;
    if (copy < 0 || wait4(copy, &status, 0, &usage) != copy) _exit(98);
    int64_t work = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    int64_t reply[] = {status, work, usage.ru_maxrss};
    if (write(REPLIES, reply, sizeof reply) != sizeof reply) _exit(97);
  }
  _exit(0);
}

typedef int main_function(int, char **, char **);

static main_function *program;
static struct {
  int count;
  char **arguments, **environment;
  int status;
} call;

static void *run_program(void *unused) {
  call.status = program(call.count, call.arguments, call.environment);
  return unused;
}

/* Runs main on a thread of its own: Swift keeps the number of the first one, which in a copy is that of the server, and
 * waits without end where two threads initialize a value at once. */
static int run_on_thread(int count, char **arguments, char **environment) {
  call.count = count;
  call.arguments = arguments;
  call.environment = environment;
  pthread_t thread;
  if (pthread_create(&thread, 0, run_program, 0) != 0 || pthread_join(thread, 0) != 0) _exit(95);
  return call.status;
}

int __libc_start_main(main_function *main, int count, char **arguments, void (*start)(void), void (*end)(void),
                      void (*loader_end)(void), void *stack) {
  int (*real)(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *) =
      dlsym(RTLD_NEXT, "__libc_start_main");
  if (!real) _exit(96);
  /* Programs that this one starts are ordinary ones. */
  if (fcntl(REQUESTS, F_GETFD) >= 0) {
    unsetenv("LD_PRELOAD");
    serve();
    program = main;
    main = run_on_thread;
  }
  return real(main, count, arguments, start, end, loader_end, stack);
}
