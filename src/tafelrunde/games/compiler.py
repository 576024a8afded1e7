"""Compiling functions with Numba; with ``NUMBA_DISABLE_JIT=1`` they stay plain Python.

Compiled code is cached in the user's cache folder, in a folder named by a fingerprint of the sources.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

from tafelrunde.folders import cache_folder

Words = npt.NDArray[np.int64]
"""An array of 64-bit integers: decision codes, the order of a pile, points."""

RecordArray = npt.NDArray[np.void]
"""An array of structured records, usually of length one: a game's state, or one seat's view."""

_numba: Any = numba  # only partly typed
COMPILED: bool = not _numba.config.DISABLE_JIT
OWN_SOURCES = Path(__file__).resolve().parent
"""The folder with all our compiled code."""

Function = TypeVar("Function", bound=Callable[..., Any])


# --- The cache ----------------------------------------------------------------------------------------------------


@cache
def _fingerprint(sources: tuple[Path, ...]) -> str:
    """A hash of all sources that a compiled function may contain.

    Numba checks only the file of the function itself and would miss changes in files that it calls. Paths and times are
    included because Numba recompiles what was moved or installed again.
    """
    digest = hashlib.sha256()
    for folder in sources:
        for source in sorted(folder.rglob("*.py")):
            digest.update(f"{source} {source.stat().st_mtime_ns}\n".encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_of(sources: tuple[Path, ...] = (OWN_SOURCES,)) -> Path | None:
    """The cache folder for code compiled from these sources; None if it can not be written.

    Then every process compiles again. A folder shared with other users would be unsafe.
    """
    folder = cache_folder() / _fingerprint(sources)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder


def _sources_of(file: str) -> tuple[Path, ...]:
    """Our own sources and, for a function of another package, all sources of that package."""
    path = Path(file).resolve()
    if OWN_SOURCES in path.parents:
        return (OWN_SOURCES,)
    package = path.parent
    while (package.parent / "__init__.py").exists():
        package = package.parent
    return (OWN_SOURCES, package)


_decorating = threading.Lock()


@contextmanager
def _numba_cache(folder: Path | None) -> Iterator[None]:
    """Point Numba at our cache while one function is decorated, then restore its setting.

    The lock keeps another thread from restoring the setting too early, which would put cache files into the current
    folder.
    """
    with _decorating:
        before = _numba.config.CACHE_DIR
        _numba.config.CACHE_DIR = str(folder or "")
        try:
            yield
        finally:
            _numba.config.CACHE_DIR = before


# --- Decorators ---------------------------------------------------------------------------------------------------


def kernel(function: Function) -> Function:
    """Mark a function as part of the compiled rules; callable from other kernels only.

    It gets no wrapper for calls from Python and no cache file of its own: both would take longer to compile.
    """
    return _compile(function, no_cpython_wrapper=True, no_cfunc_wrapper=True) if COMPILED else function


def entry_point(function: Function) -> Function:
    """Mark a kernel that is called from Python; it is cached on disk with everything it calls."""
    return _compile_cached(function, nogil=False)


def release_gil(function: Function) -> Function:
    """Like ``entry_point``, for long calls: other threads can run meanwhile. For short calls this costs too much."""
    return _compile_cached(function, nogil=True)


def release_gil_for(file: str | None) -> Callable[[Function], Function]:
    """``release_gil`` for a function of ours that also contains code from the package of this file."""
    return lambda function: _compile_cached(function, nogil=True, file=file)


def _compile_cached(function: Function, nogil: bool, file: str | None = None) -> Function:
    if not COMPILED:
        return function
    folder = cache_of(_sources_of(file or function.__code__.co_filename))
    with _numba_cache(folder):
        return _compile(function, nogil=nogil, cache=folder is not None)


def _compile(function: Function, **options: Any) -> Function:
    compiled = _numba.njit(error_model="numpy", forceinline=True, **options)(function)
    resolve = compiled.get_call_template

    def resolve_plain(args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        # Numba would compile a function again for every constant argument, which doubles compile time.
        return resolve(tuple(_numba.types.unliteral(arg) for arg in args), keywords)

    compiled.get_call_template = resolve_plain
    typed: Function = compiled
    return typed


# --- Calls from Python --------------------------------------------------------------------------------------------


def specialise(function: Callable[..., Any], *examples: Any) -> Callable[..., Any]:
    """The compiled code for arguments of exactly these types, without Numba's dispatch.

    Dispatch by argument types costs three times as much as the call itself. Callers must always pass the same types.
    """
    if not COMPILED:
        return function
    signature = tuple(_numba.typeof(example) for example in examples)
    function.compile(signature)  # type: ignore[attr-defined]
    called: Callable[..., Any] = function.overloads[signature].entry_point  # type: ignore[attr-defined]
    return called


def blank(layout: np.dtype[np.void], count: int = 1) -> RecordArray:
    """Zeroed records of this layout. Entry points take the array, as passing a record is ten times slower."""
    return np.zeros(count, layout if COMPILED else np.dtype((np.record, layout)))
