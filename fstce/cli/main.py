"""The program ``fstce``: verbs in, exit codes out.

0 means done; 2 that the input, a path or an option is wrong; 130 an interruption
(Ctrl-C), 143 and 129 one by TERM or HUP; 1 a defect of fstce, or a reader of the output
that went away. Each of them but the first is one line on standard error. ``FSTCE_DEBUG=1`` adds the
traceback.
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from threading import Timer
from typing import Any, TextIO

import typer

from fstce.cli.verbs import application
from fstce.console.output import Interruption, complain
from fstce.errors import FstceError, NothingToLearn

_TOO_LITTLE = "out of memory; use fewer sentences, a smaller neighborhood or a lower order"
DONE = 0
DEFECT = 1
WRONG = 2
INTERRUPTED = 130
_received = list[int]()  # signals that have come, in order
# typer's own copy of click moved between its releases; this name did not.
_UsageError: Any = typer.BadParameter.__mro__[1]


def run() -> None:
    """The console script: run the verb that the command line names, then exit."""
    # L-BFGS works on short vectors, where BLAS threads cost several times what they give.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.unraisablehook = _unraisable
    open_streams()
    heard = _hear_signals()

    try:
        code = main()
    except KeyboardInterrupt:
        complain("interrupted")
        code = INTERRUPTED
    except (
        MemoryError,
        SystemError,
    ) as error:  # there may be too little for a message of our own, too
        if not _is_out_of_memory(error):
            raise

        os.write(2, f"fstce: {_TOO_LITTLE}\n".encode())
        code = DEFECT

    for number in heard:  # at exit they end it without a traceback
        signal.signal(number, signal.SIG_DFL)
    if _received and code == INTERRUPTED:
        code = 128 + _received[0]
    gc.freeze()  # else Python looks for garbage in all of it at the end: a fifth of a short command
    sys.exit(code)


def _hear_signals() -> list[int]:
    """Let TERM and HUP end the program as Ctrl-C does: what there is is saved, no file stays.

    What has come is remembered: a function in C may answer a KeyboardInterrupt with an error of its
    own. Workers that are forked end at once. Returns the signals that are heard: HUP may be
    ignored, as by nohup, and INT of what runs in the background.
    """
    owner = os.getpid()

    def end(number: int, frame: object) -> None:
        if os.getpid() != owner:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return

        _received.append(number)
        raise KeyboardInterrupt

    usual = (signal.SIG_DFL, signal.default_int_handler)
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    heard = [int(number) for number in numbers if signal.getsignal(number) in usual]
    for number in heard:
        signal.signal(number, end)

    return heard


def _unraisable(what: Any) -> None:
    """Ctrl-C that came where nothing can be raised, as in a callback of an import, comes once more.

    An archive that Ctrl-C left with an open member complains again when it is thrown away: of a
    temporary file, which is removed.
    """
    if isinstance(what.exc_value, KeyboardInterrupt):
        Timer(
            0.01, signal.raise_signal, [signal.SIGINT]
        ).start()  # here, too, nothing can be raised
    elif getattr(what.object, "__qualname__", "") != "ZipFile.__del__":
        sys.__unraisablehook__(what)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a verb; the exit code. ``arguments``: by default those of the process."""
    _use_utf8(sys.stdout)
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]

    try:
        code = _exit_code(lambda: application()(words, prog_name="fstce", standalone_mode=False))
        sys.stdout.flush()
    except BrokenPipeError:
        code = DEFECT
        _discard_output()
    except OSError as error:
        code = WRONG
        complain(f"standard output: {error.strerror or error}")
        _discard_output()

    return code


def open_streams() -> None:
    """Let closed standard streams be empty or go nowhere, that no file is opened in their place."""
    for number, name, mode, errors in (
        (0, "stdin", "r", "surrogateescape"),
        (1, "stdout", "w", "surrogateescape"),
        (2, "stderr", "w", "backslashreplace"),
    ):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free: this one
        if getattr(sys, name) is None:
            stream = os.fdopen(number, mode, encoding="utf-8", errors=errors, closefd=False)
            setattr(sys, name, stream)


def _exit_code(command: Callable[[], Any]) -> int:
    """The exit code of a verb's end, or of the exception that ended it; says why in one line."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            warnings.simplefilter("error", NothingToLearn)
            code = command()

        if code == INTERRUPTED:
            complain("interrupted")

        return code if isinstance(code, int) else DONE
    except SystemExit as exit:
        return exit.code if isinstance(exit.code, int) else DEFECT
    except (Interruption, KeyboardInterrupt, typer.Abort) as interruption:
        complain(str(interruption) or "interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:
        # While a class is made, up to Python 3.11, or within a function in C.
        if _received or isinstance(error.__cause__, KeyboardInterrupt):
            complain("interrupted")
            return INTERRUPTED

        if os.environ.get("FSTCE_DEBUG"):
            traceback.print_exc()

        code, message = _explain(error)
        complain(message)
        return code


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning of the library as one line, without the place in its code."""
    complain(f"warning: {message}")


def _explain(error: Exception) -> tuple[int, str]:
    """Exit code and message of an exception."""
    if isinstance(error, FstceError):
        return WRONG, str(error)
    if isinstance(error, _UsageError):
        return WRONG, _usage_message(error)
    if isinstance(error, OSError):
        return WRONG, _os_message(error)
    if _is_out_of_memory(error):
        return DEFECT, _TOO_LITTLE
    hint = "run again with FSTCE_DEBUG=1 for the traceback"
    return DEFECT, f"internal error: {type(error).__name__}: {error}; {hint}"


def _is_out_of_memory(error: Exception) -> bool:
    """Whether memory ran out, of which loaders and functions in C have words of their own."""
    messages = (
        (ImportError, "failed to map segment"),
        (SystemError, "without exception set"),
        (SystemError, "without setting an exception"),
    )
    return isinstance(error, MemoryError) or any(
        isinstance(error, kind) and words in str(error) for kind, words in messages
    )


def _usage_message(error: Any) -> str:
    command = getattr(getattr(error, "ctx", None), "command_path", "fstce")
    return f"{error.format_message().rstrip('.')}; see {command} --help"


def _os_message(error: OSError) -> str:
    path = ""
    if error.filename:
        path = f"{error.filename}: "
    elif error.errno in (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EBADF):
        path = "standard output: "  # what else is written says where
    return f"{path}{error.strerror or error}"


def _use_utf8(stream: TextIO) -> None:
    """Write as UTF-8 what is read as UTF-8; paths come out as they came in."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is None:
        return
    if stream.isatty():
        reconfigure(errors="backslashreplace")
    else:
        reconfigure(encoding="utf-8", errors="surrogateescape")


def _discard_output() -> None:
    """Nobody reads what is left in the buffer; keep Python from saying so at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
