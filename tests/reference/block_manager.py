"""A block manager as PagedAttention has it, storing keys and values (lesson 22 of spicyshark.co/learn).

The program only counts tokens and hands out page numbers. Here each token's key and value are written into
the memory of the block that its table points at, so a table that pointed at a wrong block would read back
another chat's tokens. Not in here: attention itself, sharing of blocks between chats.
"""

from collections import deque

import numpy as np
from numpy.typing import NDArray

BLOCK_TOKENS = 16  # tokens in a block; the program calls a block a page

Vectors = NDArray[np.float32]  # one row for each token


class BlockManager:
    """A pool of blocks, a free list that is first in, first out, and one block table for each chat."""

    def __init__(self, blocks: int, head_size: int) -> None:
        """Make a pool of `blocks` empty blocks, for keys and values of `head_size` numbers each."""
        self.keys = np.full((blocks, BLOCK_TOKENS, head_size), np.nan, dtype=np.float32)
        self.values = np.full((blocks, BLOCK_TOKENS, head_size), np.nan, dtype=np.float32)
        self.free_list = deque(range(blocks))
        self.block_tables: dict[int, list[int]] = {}
        self.tokens: dict[int, int] = {}  # chat -> tokens stored

    def add(self, chat: int, keys: Vectors, values: Vectors) -> None:
        """Begin a chat and store its prompt, one token after the other."""
        if chat in self.block_tables:
            raise ValueError(f"chat {chat} is in the cache already")
        self.block_tables[chat] = []
        self.tokens[chat] = 0
        for key, value in zip(keys, values, strict=True):
            self.append(chat, key, value)

    def append(self, chat: int, key: Vectors, value: Vectors) -> None:
        """Store one more token of a chat, in a new block if its last one is full."""
        block_in_table, place_in_block = divmod(self.tokens[chat], BLOCK_TOKENS)
        if place_in_block == 0:
            self.block_tables[chat].append(self.free_list.popleft())
        block = self.block_tables[chat][block_in_table]
        self.keys[block, place_in_block] = key
        self.values[block, place_in_block] = value
        self.tokens[chat] += 1

    def read(self, chat: int) -> tuple[Vectors, Vectors]:
        """All keys and values of a chat, found by its block table, in the order in which they were stored."""
        table = self.block_tables[chat]
        keys = self.keys[table].reshape(-1, self.keys.shape[-1])
        values = self.values[table].reshape(-1, self.values.shape[-1])
        return keys[: self.tokens[chat]], values[: self.tokens[chat]]

    def free(self, chat: int) -> None:
        """End a chat: wipe its blocks and give them back, in the order of its table."""
        table = self.block_tables.pop(chat)
        del self.tokens[chat]
        self.keys[table] = np.nan
        self.values[table] = np.nan
        self.free_list.extend(table)
