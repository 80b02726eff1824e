"""What can be downloaded besides a statement."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """An item of the marketplace, by its id."""

    id: str


@dataclass(frozen=True)
class Datamap:
    """A published datamap, by its id."""

    id: str


Source = str | Item | Datamap
"""What is downloaded: a statement, an item or a datamap."""


def dataframe_advice(source: Item | Datamap) -> str:
    """Returns the calls that make a dataframe of a source: the Parquet file of its datamap."""
    found = f'"{source.id}"'
    if isinstance(source, Item):
        found = f'client.marketplace.get("{source.id}")["queries"][0]["datamap_id"]'
    return (
        f'client.download(Datamap({found}), "x.parquet"), then pandas.read_parquet("x.parquet", dtype_backend="pyarrow"). '
        "Await the calls of an AsyncClient"
    )
