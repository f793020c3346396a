"""Types lines into an interactive shell on a terminal of its own, as a person would."""
import json, os, pty, select, sys, time

task = json.load(sys.stdin)
pid, terminal = pty.fork()
if pid == 0:
    os.execvpe(task["shell"][0], task["shell"], dict(os.environ, TERM="xterm", PS1="> "))
seen = b""


def wait_for(path, seconds=60):
    global seen
    end = time.time() + seconds
    while not os.path.exists(path):
        if time.time() > end:
            sys.exit("%s is not there; the terminal has:\n%s" % (path, seen.decode(errors="replace")))
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                sys.exit("the shell has ended:\n" + seen.decode(errors="replace"))


for number, line in enumerate(task["lines"]):
    # A shell reads what was typed ahead once the completion of a word is done.
    done = "done.%d" % number
    os.write(terminal, line.encode() + b" ; touch " + done.encode() + b"\r")
    wait_for(done)
os.write(terminal, b"exit\r")
