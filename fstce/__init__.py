"""fstce: contrastive estimation on finite-state machines."""

from __future__ import annotations

from fstce.version import __version__

__all__ = ["__version__"]
