"""Continuous batching with a batch limit and no cache at all (lesson 24 of spicyshark.co/learn).

Memory never runs out here: a chat waits for a place in the batch and for nothing else. It shares no
code with the program nor with the other references.
"""

from dataclasses import dataclass


@dataclass
class Chat:
    """One chat on its way through the batch."""

    sent: float
    prompt: int
    reply: int
    words: int = 0
    first_word: float = -1.0  # seconds; set in its first step
    last_word: float = -1.0  # seconds; set in its last step


def seconds_of_step(running: list[Chat], joining: list[Chat]) -> float:
    """Roofline of one A100 80 GB for Llama 3.1 8B in bf16: the slower of computing and reading memory."""
    tokens_computed = len(running)
    for chat in joining:
        tokens_computed += chat.prompt
    tokens_read = 0
    for chat in running:
        tokens_read += chat.prompt + chat.words
    compute = 2 * 8.03e9 * tokens_computed / 312e12
    memory = (16.06e9 + 131072 * tokens_read) / 2.039e12
    return max(compute, memory)


def simulate(
    sent: list[float], prompts: list[int], replies: list[int], limit: int
) -> tuple[list[float], list[float]]:
    """Times of the first and of the last word of each chat, for chats that are sent at ascending times."""
    everyone = [Chat(*facts) for facts in zip(sent, prompts, replies, strict=True)]
    coming = list(everyone)
    running: list[Chat] = []
    now = 0.0
    while coming or running:
        if not running and coming[0].sent > now:
            now = coming[0].sent
        joining: list[Chat] = []
        while coming and coming[0].sent <= now and len(running) + len(joining) < limit:
            joining.append(coming.pop(0))
        now += seconds_of_step(running, joining)
        for chat in joining:
            chat.first_word = now
        running += joining
        for chat in running:
            chat.words += 1
            if chat.words == chat.reply:
                chat.last_word = now
        running = [chat for chat in running if chat.words < chat.reply]
    return [chat.first_word for chat in everyone], [chat.last_word for chat in everyone]
