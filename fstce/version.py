"""The package's version, in a module that can be read without importing OpenFst."""

__version__ = "0.2.0.dev0"
