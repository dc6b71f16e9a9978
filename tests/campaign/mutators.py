"""What is done to bytes: each mutator takes a generator and the bytes, and gives others."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable, Mapping
from random import Random

Mutator = Callable[[Random, bytes], bytes]
_HUGE = (
    b"9" * 5000,
    b"1e400",
    b"-1",
    b"nan",
    b"inf",
    b"18446744073709551616",
    b"2147483648",
    b"1e20",
    b"-0",
)
_STRANGE = (
    b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x1b[31m", b"\x07", b"\r", b"\t\t", b"\xe2\x80\xa8",
    b"\xef\xbb\xbf", b"\xe0\xa4\xbf", b"(", b")", b"<eps>", b"<sigma>", b"@x", b"?", b"#", b'"', b"\\", b"{", b"]",
)  # fmt: skip


def flip_byte(random: Random, data: bytes) -> bytes:
    """One byte is another."""
    place = random.randrange(len(data))
    return data[:place] + bytes([random.randrange(256)]) + data[place + 1 :]


def flip_bit(random: Random, data: bytes) -> bytes:
    """One bit is the other."""
    place = random.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << random.randrange(8))]) + data[place + 1 :]


def flip_in_header(random: Random, data: bytes) -> bytes:
    """One byte of the first hundred is another: counts and types are there."""
    place = random.randrange(min(100, len(data)))
    return data[:place] + bytes([random.choice((0, 1, 127, 128, 255))]) + data[place + 1 :]


def cut_off(random: Random, data: bytes) -> bytes:
    """The end is missing."""
    return data[: random.randrange(len(data))]


def cut_out(random: Random, data: bytes) -> bytes:
    """A piece is missing."""
    first = random.randrange(len(data))
    return data[:first] + data[first + random.randrange(1, 40) :]


def insert_strange(random: Random, data: bytes) -> bytes:
    """A control character, half a character, a surrogate or a mark of some format comes in."""
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice(_STRANGE) * random.choice((1, 1, 2, 300)) + data[place:]


def insert_random(random: Random, data: bytes) -> bytes:
    """Bytes of any kind come in."""
    place = random.randrange(len(data) + 1)
    return data[:place] + random.randbytes(random.randrange(1, 60)) + data[place:]


def repeat_piece(random: Random, data: bytes) -> bytes:
    """A piece comes twice, or many times."""
    first = random.randrange(len(data))
    piece = data[first : first + random.randrange(1, 200)]
    return data[:first] + piece * random.choice((2, 3, 500)) + data[first:]


def _by_lines(data: bytes, change: Callable[[list[bytes]], None]) -> bytes:
    lines = data.split(b"\n")
    change(lines)
    return b"\n".join(lines)


def drop_line(random: Random, data: bytes) -> bytes:
    """A line is missing."""
    return _by_lines(data, lambda lines: lines.remove(random.choice(lines)))


def swap_lines(random: Random, data: bytes) -> bytes:
    """Lines stand in another order."""
    return _by_lines(data, random.shuffle)


def change_field(random: Random, data: bytes) -> bytes:
    """A field of a line is a huge number, none, or something strange."""

    def change(lines: list[bytes]) -> None:
        number = random.randrange(len(lines))
        fields = lines[number].replace(b"\t", b" ").split(b" ")
        fields[random.randrange(len(fields))] = random.choice((*_HUGE, *_STRANGE, b""))
        lines[number] = (b"\t" if b"\t" in lines[number] else b" ").join(fields)

    return _by_lines(data, change)


def nothing_left(random: Random, data: bytes) -> bytes:
    """An empty file, white space only, or one endless line."""
    return random.choice(
        (b"", b"\n" * 50, b" \t\r\n", b"x" * 200_000, b"a " * 30_000, b"(" * 5000, b"\x00" * 4096)
    )


def other_encoding(random: Random, data: bytes) -> bytes:
    """Text of another encoding; bytes that are no text stay."""
    try:
        return data.decode().encode(
            random.choice(("utf-16", "utf-32", "cp1252", "utf-7")), "replace"
        )
    except UnicodeDecodeError:
        return data


def compressed(random: Random, data: bytes) -> bytes:
    """Compressed, whole or cut off."""
    packed = random.choice((gzip.compress, bz2.compress, lzma.compress))(data)
    return random.choice((packed, packed[: random.randrange(len(packed))]))


def twice(random: Random, data: bytes) -> bytes:
    """Two of these, one after another."""
    mutator = random.choice(PLAIN)
    return mutator(random, random.choice(PLAIN)(random, data) or data)


PLAIN: tuple[Mutator, ...] = (
    flip_byte,
    flip_bit,
    flip_in_header,
    cut_off,
    cut_out,
    insert_strange,
    insert_random,
    repeat_piece,
    drop_line,
    swap_lines,
    change_field,
    nothing_left,
    other_encoding,
    compressed,
)
MUTATORS: tuple[Mutator, ...] = (*PLAIN, twice)
# What a reader must not see at all; the result is that of the file as it was.
HARMLESS: Mapping[str, Callable[[bytes], bytes]] = {
    "BOM": lambda data: b"\xef\xbb\xbf" + data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "no last line end": lambda data: data.rstrip(b"\n"),
}
