"""Runs one command line of a program many times: a copy of a process that is loaded already, by forkserver.c."""
import os, pathlib, shutil, signal, struct, subprocess, tempfile, threading

SECONDS, MEBIBYTES = 10, 256
HERE = pathlib.Path(__file__).resolve().parent


class Run:
    """How a run ended, what it said to standard error, seconds of its work, and its most memory in MiB."""

    def __init__(self, status, said, seconds, memory):
        self.status, self.said, self.seconds, self.memory = status, said, seconds, memory

    @property
    def is_bounded(self):
        """Whether it kept to what hostile input may take."""
        return self.seconds <= SECONDS and self.memory <= MEBIBYTES


class Forked:
    """A command line that is run again and again, each time in a process of its own."""

    def __init__(self, *words):
        self.words = words
        self.folder = tempfile.mkdtemp(prefix="packtool-forked-")
        self.said = f"{self.folder}/said"
        self.server = None
        self.repeated = 0
        compiler = shutil.which("cc") or shutil.which("clang")
        library = f"{self.folder}/forkserver.so"
        if compiler and subprocess.run(
                [compiler, "-shared", "-fPIC", "-O1", "-o", library, str(HERE / "forkserver.c")]).returncode == 0:
            self.start(library)

    def start(self, library):
        requests, self.requests = os.pipe()
        self.replies, replies = os.pipe()

        def take_pipes():
            os.dup2(requests, 198)
            os.dup2(replies, 199)

        self.server = subprocess.Popen(
            self.words, preexec_fn=take_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"LD_PRELOAD": library, "FORK_SAID": self.said, "FORK_SECONDS": str(SECONDS)})
        os.close(requests)
        os.close(replies)

    def run(self):
        if not self.server:
            return self.run_alone()
        os.write(self.requests, b"x")
        reply = b""
        while len(reply) < 24:
            part = os.read(self.replies, 24 - len(reply))
            if not part:
                raise RuntimeError(f"{self.words[0]} could not be started once for all: {self.server.wait()}")
            reply += part
        status, work, memory = struct.unpack("<qqq", reply)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGKILL):
            # One copy of some thousands waits for itself, by what the runtime learned in the server.
            self.repeated += 1
            return self.run_alone()
        with open(self.said, errors="replace") as file:
            return Run(os.waitstatus_to_exitcode(status), file.read(), work / 1e6, memory / 1024)

    def run_alone(self):
        """The same in a process that is started for it; what takes too long is ended."""
        process = subprocess.Popen(self.words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        clock = threading.Timer(10 * SECONDS, process.kill)
        clock.start()
        said = process.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(process.pid, 0)
        clock.cancel()
        return Run(os.waitstatus_to_exitcode(status), said, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)

    def close(self):
        if self.server:
            os.close(self.requests)
            self.server.wait()
        shutil.rmtree(self.folder)
