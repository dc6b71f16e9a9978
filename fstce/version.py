"""The package's version, in a module that can be read without importing OpenFst."""

__version__ = "0.1.0"
