"""A Spark session for the command line, and plain words where Spark or Java is absent."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["java_trouble", "need_pyspark", "session_on"]

LEAST_JAVA = 17


def need_pyspark() -> None:
    """Say how to install what is missing."""
    for name in ("pyspark", "pandas", "pyarrow"):  # PySpark asks for the others when it is used
        if find_spec(name) is None:
            raise AssayError(f"{name} is not installed; type: pip install 'assay[spark]'")


def java_trouble() -> str | None:
    """What is wrong with Java, if anything."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else shutil.which("java")
    what = f"Spark needs Java {LEAST_JAVA} or later"
    remedy = (
        "install it (Debian: openjdk-17-jre-headless), or let JAVA_HOME name the folder that holds "
        "bin/java"
    )
    if java is None:
        return f"{what}, and there is no java on the PATH; {remedy}"
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, check=True)  # noqa: S603 - the user's own Java
    except (OSError, subprocess.CalledProcessError) as error:
        return f"{what}, and {java} does not run ({error}); {remedy}"
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    if found and int(found[1]) < LEAST_JAVA:
        return f"{what}, and {java} is version {found[1]}; {remedy}"
    return None


def session_on(master: str | None, settings: Mapping[str, str]) -> Any:
    """The session on a master; without one, on that of spark-submit, or on this machine."""
    need_pyspark()
    from pyspark.sql import SparkSession

    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
    quiet = {"spark.ui.showConsoleProgress": "false"}
    submitted = "PYSPARK_GATEWAY_PORT" in os.environ  # spark-submit has started Java already
    if not submitted:
        trouble = java_trouble()
        if trouble:
            raise AssayError(trouble)
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        log = Path(__file__).with_name("log4j2.properties").as_uri()
        quiet |= {
            "spark.ui.enabled": "false",
            "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={log}",
        }
    builder = SparkSession.builder.appName("assay")
    if master or not submitted:
        builder = builder.master(master or "local[*]")
    for name, value in (quiet | dict(settings)).items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:
        first = str(error).strip().partition("\n")[0]
        raise AssayError(f"no Spark session on {master or 'local[*]'}: {first}") from error
