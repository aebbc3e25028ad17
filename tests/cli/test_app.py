from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

import assay as package
from assay.cli.app import COMMANDS, app
from shell import MODULE, assay, process, write

HEAVY = {"numpy", "polars", "scipy", "rich", "assay.evaluation"}


def test_version():
    result = assay("--version")
    assert (result.exit_code, result.stdout) == (0, f"assay {package.__version__}\n")


def test_python_dash_m():
    assert process("--version").stdout == f"assay {package.__version__}\n"


def test_help_without_a_word():
    result = assay()
    assert result.exit_code == 0
    assert result.stdout == assay("--help").stdout == assay("-h").stdout
    folded = " ".join(result.stdout.split())
    for name, line in COMMANDS.items():
        assert f" {name} {line}" in folded


def commands():
    """Words of every command, those of the groups among them: `judges compare`."""
    for name in COMMANDS:
        command = app.get_command(None, name)
        inner = command.list_commands(None) if isinstance(command, click.Group) else []
        yield from ([name, word] for word in inner) if inner else [[name]]


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_every_command_has_help_with_an_example(words):
    result = assay(*words, "-h")
    assert result.exit_code == 0
    assert result.stdout == assay(*words, "--help").stdout
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert any(line.startswith(" ".join(["assay", *words])) for line in lines)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name):
    command = app.get_command(None, name)
    assert all(param.help for param in command.params if isinstance(param, click.Option))


def test_a_word_that_is_no_command():
    result = assay("evl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "assay: no command 'evl'; did you mean 'eval'?  All commands: assay --help\n"
    )


def test_a_word_like_no_command():
    assert assay("xyz").stderr == "assay: no command 'xyz'.  All commands: assay --help\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["eval", "--mising"], "no option '--mising'; did you mean '--missing'?"),
        (["simulate", "--topic", "3"], "no option '--topic'; did you mean '--topics'?"),
    ],
)
def test_an_option_that_there_is_not(words, message):
    result = assay(*words)
    assert result.exit_code == 2
    assert result.stderr == f"assay: {message}  Help: assay {words[0]} -h\n"


def test_a_choice_that_there_is_not():
    result = assay("eval", "q", "r", "--missing", "wrost")
    assert result.exit_code == 2
    assert result.stderr == (
        "assay: invalid value for '--missing': 'wrost' is not one of 'worst', 'skip', 'error'."
        "  Help: assay eval -h\n"
    )


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["eval", "-h"], ["measures"]])
def test_start_up_is_light(words):
    code = (
        "import sys\n"
        "from assay.cli import main\n"
        f"sys.argv = ['assay', *{words!r}]\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == "[]\n"


def test_import_is_light():
    code = f"import assay, sys; print(sorted({HEAVY | {'click'}!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("words", [["--help"], ["measures"], ["completion", "bash"]])
def test_a_broken_pipe_is_quiet(words):
    read, write = os.pipe()
    os.close(read)
    child = subprocess.run(
        [*MODULE, *words], stdout=write, stderr=subprocess.PIPE, check=False, timeout=60
    )
    os.close(write)
    assert (child.returncode, child.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told():
    with Path("/dev/full").open("w") as full:
        done = process("measures", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == "assay: the output: No space left on device\n"


def test_an_interrupt_is_quiet(folder):
    slow = write(folder, "slow.py", "import time\nprint('at work', flush=True)\ntime.sleep(60)\n")
    child = subprocess.Popen(
        [*MODULE, "eval", "q.txt", "bm25.run", "-m", "AP", "--plugin", slow],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
    )
    assert child.stdout.readline() == b"at work\n"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell):
    result = assay("completion", shell)
    assert result.exit_code == 0
    assert f"_ASSAY_COMPLETE={shell}_complete" in result.stdout


def test_completion_of_the_shell_in_use():
    assert (
        assay("completion", env={"SHELL": "/bin/zsh"}).stdout == assay("completion", "zsh").stdout
    )
    result = assay("completion", env={"SHELL": "/bin/tcsh"})
    assert result.exit_code == 2
    assert result.stderr == (
        "assay: no completion for the shell 'tcsh'; name one of bash, zsh, fish\n"
    )


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("assay me", "plain,measures\n"),
        ("assay eval -m ndcg_", "plain,nDCG_JK\n"),
        ("assay eval --ties e", "plain,expected\n"),
        ("assay eval q", "file,q\n"),
    ],
)
def test_completion(typed, found):
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
    done = process(
        env=os.environ | words | {"_ASSAY_COMPLETE": "bash_complete", "_PYTHON__M_ASSAY": ""}
    )
    assert done.stdout == found
