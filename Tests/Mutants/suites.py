"""Runs test suites of the build that has the mutants: notices failures and hangs, and measures which mutants a suite
reaches. Other tools call the latter coverage analysis.
"""
import dataclasses, glob, json, os, pathlib, re, shutil, signal, subprocess, tempfile, threading, time, uuid

# More mutants than a build has.
MOST_MUTANTS = 4096
SWITCH_NAME = "MutantSwitch.swift"
# The same in every build, so that other mutants do not compile it again.
SWITCH_SOURCE = f"""import Foundation

/// The mutants that are on: the environment names them, separated by commas.
private let isOn: [Bool] = {{
  var result = [Bool](repeating: false, count: {MOST_MUTANTS})
  for number in (ProcessInfo.processInfo.environment["MUTANT"] ?? "").split(separator: ",") {{ result[Int(number)!] = true }}
  return result
}}()

/// A byte for each mutant, 1 if the mutant was reached, in a file that all processes of a run map: what a process wrote
/// stays there however the process ends.
private nonisolated(unsafe) let reached: UnsafeMutableRawPointer? = {{
  guard let path = ProcessInfo.processInfo.environment["MUTANTS_REACHED"] else {{ return nil }}
  let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
  guard descriptor >= 0 else {{ return nil }}
  defer {{ _ = close(descriptor) }}
  let bytes = unsafe mmap(nil, {MOST_MUTANTS}, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
  return unsafe bytes == MAP_FAILED ? nil : bytes
}}()

func mutant(_ number: Int) -> Bool {{
  if let bytes = unsafe reached {{ unsafe bytes.storeBytes(of: 1, toByteOffset: number, as: UInt8.self) }}
  return isOn[number]
}}
"""
# A run hangs when it uses this many times the processor time, or is idle for this many times the seconds, of the run
# without a mutant, and this many seconds more. Neither grows when the machine is busy with something else.
PATIENCE, LEAST_PATIENCE = 4, 30
# Ends a run that does a little all the time.
MOST_SECONDS = 3600
# A suite that takes longer than this without a mutant is left out.
SLOWEST_SUITE = 900
# A mutant that asks for endless memory ends itself, not the machine.
MEMORY_KIB = 16 << 20


# Behind the name of a suite that takes its samples whole, as the nightly run does.
WHOLE = " whole"


@dataclasses.dataclass
class Suite:
    """A suite as it runs without a mutant."""
    name: str  # such as "PackingTests.PublishTests"; WHOLE follows for its whole samples
    processor_seconds: float = 0
    seconds: float = 0
    reached: frozenset = frozenset()
    fails: str = ""  # where, if it fails without a mutant


@dataclasses.dataclass
class Outcome:
    name: str  # "passed", "failed" or "hung"
    processor_seconds: float
    seconds: float
    noticed_by: str = ""  # the file and line of the first expectation that failed


class Interrupted(Exception):
    """A signal from outside ended a run, so the run says nothing."""


class Tests:
    """The tests of a build, and how its suites run without a mutant."""

    def __init__(self, tree, file):
        self.tree, self.file = tree, file
        self.program = tree / ".build" / "debug" / "packtoolPackageTests.xctest"
        self.suites = {}
        if file.exists():
            for name, known in json.loads(file.read_text()).items():
                self.suites[name] = Suite(**known | {"reached": frozenset(known["reached"])})

    def names(self):
        listed = subprocess.run([self.program, "--testing-library", "swift-testing", "--list-tests"], cwd=self.tree,
                                stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout
        return sorted({match.group(1) for match in re.finditer(r"^(\w+\.\w+)/", listed, re.M)})

    def sampled(self, names):
        """The names of suites that have samples, which the nightly run takes whole."""
        found = set()
        for path in (self.tree / "Tests").rglob("*Tests.swift"):
            text = path.read_text()
            if re.search(r"\bsample\(|\bisWhole\b", text):
                module = path.relative_to(self.tree / "Tests").parts[0]
                found |= {f"{module}.{suite}" for suite in re.findall(r"struct (\w+)", text)}
        return [name + WHOLE for name in names if name in found]

    def measure(self, names, pool):
        """Runs suites without a mutant, each in a process of its own, unless they are known."""
        new = [name for name in names if name not in self.suites]
        for suite in pool.map(self.measured, new):
            self.suites[suite.name] = suite
            print(f"{suite.processor_seconds:6.1f} s {len(suite.reached):4} reached by {suite.name}"
                  + (f": LEFT OUT, since it fails without a mutant: {suite.fails}" if suite.fails else ""), flush=True)
            self.file.write_text(json.dumps({name: vars(each) | {"reached": sorted(each.reached)}
                                             for name, each in self.suites.items()}))

    def measured(self, name):
        """Runs a suite without a mutant, again where it fails, as a busy machine may let it."""
        with tempfile.NamedTemporaryFile(prefix="mutants-reached-") as file:
            file.truncate(MOST_MUTANTS)
            # Some tests run as a user without rights.
            os.chmod(file.name, 0o666)
            suite = Suite(name, processor_seconds=SLOWEST_SUITE / PATIENCE, seconds=SLOWEST_SUITE / PATIENCE)
            for attempt in range(2):
                outcome = self.run((), [suite], reached=file.name)
                if outcome.name == "passed": break
            file.seek(0)
            reached = frozenset(number for number, byte in enumerate(file.read()) if byte)
        fails = "" if outcome.name == "passed" else outcome.noticed_by or outcome.name
        return Suite(name, round(outcome.processor_seconds, 1), round(outcome.seconds, 1), reached, fails)

    def known(self, names):
        """The suites of these names that can notice something."""
        return [self.suites[name] for name in names if not self.suites[name].fails]

    def reaching(self, number, is_chosen):
        """The suites that reach a mutant, the quickest first."""
        found = [suite for suite in self.suites.values() if number in suite.reached and not suite.fails and is_chosen(suite)]
        return sorted(found, key=lambda suite: suite.processor_seconds)

    def run(self, active, suites, reached=None, shown=False):
        """Runs suites together with some mutants on, until the first test fails."""
        token = f"packtool-mutants-{uuid.uuid4()}"
        started = time.monotonic()
        selection = f"^({'|'.join(re.escape(suite.name.removesuffix(WHOLE)) for suite in suites)})/"
        with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as scratch:
            # Some tests run as a user without rights.
            os.chmod(scratch, 0o1777)
            environment = os.environ | {
                "PACKTOOL_ACCEPTANCE": "1", "MUTANT": ",".join(map(str, active)), "MUTANT_RUN": token, "TMPDIR": scratch,
                "TEST_RUN": f"{token[-12:]}-", "PACKTOOL_TEST_PATIENCE": str(SLOWEST_SUITE),
                # A backtrace of a debug build takes longer than most suites.
                "SWIFT_BACKTRACE": "enable=no",
            }
            if reached: environment["MUTANTS_REACHED"] = reached
            if suites[0].name.endswith(WHOLE): environment["PACKTOOL_WHOLE"] = "1"
            limited = ["bash", "-c", f'ulimit -v {MEMORY_KIB} -c 0; exec "$@"', "bash"]
            process = subprocess.Popen([*limited, self.program, "--testing-library", "swift-testing", "--filter", selection],
                                       cwd=self.tree, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
            watch = Watch(process, token, suites)
            watch.start()
            noticed_by = ""
            for line in process.stdout:
                if shown: print(line, end="", flush=True)
                if not noticed_by and (match := re.search(r" recorded an issue.*? at (\w+\.swift:\d+)", line)):
                    noticed_by = match.group(1)
                    if not shown: break
            watch.has_ended.set()
            watch.join()
            end_processes(process, token)
            status = process.wait()
            process.stdout.close()
            for parent in ("/tmp", "/dev/shm"):
                for path in glob.glob(f"{parent}/packtool-test-{token[-12:]}-*"):
                    subprocess.run(["chmod", "-R", "u+rwX", path], stderr=subprocess.DEVNULL)
                    shutil.rmtree(path, ignore_errors=True)
        taken = (watch.processor_seconds, time.monotonic() - started)
        if watch.has_hung: return Outcome("hung", *taken)
        if noticed_by: return Outcome("failed", *taken, noticed_by)
        if -status in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): raise Interrupted(signal.Signals(-status).name)
        if status != 0: return Outcome("failed", *taken, f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}")
        return Outcome("passed", *taken)

    def find_killed(self, numbers, suite):
        """Outcomes by the numbers that a suite notices, which are on together; a group that fails is halved.

        A mutant that fails alone runs once more, since among so many runs some fail by chance.
        """
        if not numbers: return {}
        outcome = self.run(numbers, [suite])
        if outcome.name == "passed": return {}
        if len(numbers) == 1:
            if outcome.name == "failed": outcome = self.run(numbers, [suite])
            return {} if outcome.name == "passed" else {numbers[0]: outcome}
        half = len(numbers) // 2
        return self.find_killed(numbers[:half], suite) | self.find_killed(numbers[half:], suite)


class Watch(threading.Thread):
    """Ends a run that hangs, and measures its processor time."""

    def __init__(self, process, token, suites):
        super().__init__(daemon=True)
        self.process, self.token = process, token
        self.has_ended = threading.Event()
        self.has_hung = False
        self.processor_seconds = 0
        self.most_processor_seconds = LEAST_PATIENCE + PATIENCE * sum(suite.processor_seconds for suite in suites)
        self.most_idle_seconds = LEAST_PATIENCE + PATIENCE * sum(suite.seconds for suite in suites)

    def run(self):
        started = time.monotonic()
        idle_seconds = 0
        while True:
            is_last = self.has_ended.is_set()
            processor_seconds, is_idle = activity(self.process.pid)
            # Less than before where a process ended whose parent does not wait for it.
            self.processor_seconds = max(self.processor_seconds, processor_seconds)
            if is_last: return
            if is_idle: idle_seconds += 0.5
            self.has_hung = (self.processor_seconds > self.most_processor_seconds or idle_seconds > self.most_idle_seconds
                             or time.monotonic() - started > MOST_SECONDS)
            if self.has_hung: return end_processes(self.process, self.token)
            self.has_ended.wait(0.5)


def activity(session):
    """The processor seconds of a session's processes, and whether none of their threads runs, waits for a processor or
    waits for a disk."""
    ticks, is_idle = 0, True
    for folder in glob.glob("/proc/[0-9]*"):
        fields = stat_fields(f"{folder}/stat")
        if len(fields) < 15 or fields[3] != str(session): continue
        # Its own time and that of the children that it waited for.
        ticks += sum(map(int, fields[11:15]))
        is_idle = is_idle and not any(stat_fields(path)[:1] in (["R"], ["D"]) for path in glob.glob(f"{folder}/task/*/stat"))
    return ticks / os.sysconf("SC_CLK_TCK"), is_idle


def stat_fields(path):
    """The fields of a process after its name, from its state on; none if it has ended."""
    try: return pathlib.Path(path).read_text(errors="replace").rpartition(")")[2].split()
    except OSError: return []


def batches(suites, first_seconds=3):
    """Parts of a list of suites that run together, each part three times as long as the one before."""
    batch, seconds = [], 0
    for suite in suites:
        batch.append(suite)
        seconds += suite.processor_seconds
        if seconds >= first_seconds:
            yield batch
            batch, seconds, first_seconds = [], 0, 3 * first_seconds
    if batch: yield batch


def end_processes(process, token):
    """Ends a run's process group, and its descendants that have left it, which the environment tells."""
    try: os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError: pass
    for _ in range(10):
        found = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if pid != os.getpid() and has_token(pid, token)]
        for pid in found:
            try: os.kill(pid, signal.SIGKILL)
            except ProcessLookupError: pass
        if not found: return
        time.sleep(0.1)


def has_token(pid, token):
    try: return token.encode() in pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    except OSError: return False
