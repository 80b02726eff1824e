"""Version of the package, which is that of the hosts it was tested with."""

__version__ = "0.1.0"
