"""fstce: contrastive estimation (Smith & Eisner 2005) on finite-state machines."""

from __future__ import annotations

from fstce.neighborhoods import Neighborhood, neighborhood
from fstce.version import __version__

__all__ = ["Neighborhood", "__version__", "neighborhood"]
