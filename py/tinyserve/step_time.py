"""How long one step of the model takes: the roofline of one chip, in place of the model.

Shape of Llama 3.1 8B on one A100 80 GB SXM; both speeds are data-sheet peaks, so a real step takes longer.
Not in here: attention's own arithmetic, launch overhead, several chips.
Source of the method: spicyshark.co/learn, lesson 24. The 2 GB for activations in `real_card_pages`
were reconstructed from the published figure, not printed.
"""

PARAMETERS = 8.03e9  # weights of the model, a count
WEIGHT_BYTES = 16.06e9  # bytes read in every step: 2 bytes (bf16) for each parameter
FLOP_PER_S = 312e12  # multiplications and additions a second, bf16 (A100 data sheet)
BYTES_PER_S = 2.039e12  # bytes a second between memory and chip (A100 80 GB SXM data sheet)
KV_BYTES_PER_TOKEN = 131_072  # bytes: 32 layers x 8 KV heads x head size 128 x 2 (K and V) x 2 bytes each

CARD_BYTES = 80e9  # bytes of memory on the card
CARD_SHARE = 0.9  # fraction of it that the server may use, as vLLM's default
ACTIVATION_BYTES = 2e9  # bytes for everything that is neither weights nor cache (reconstructed)


def step_seconds(running: int, context_tokens: int, prompt_tokens: int) -> float:
    """Seconds of one step: the larger of the time to compute and the time to read memory.

    running: chats that were already running, each of which computes one token.
    context_tokens: tokens in the cache that they read, the sum over these chats.
    prompt_tokens: tokens of the prompts that this step reads, the sum over the chats that join in it.

    >>> f"{step_seconds(running=2, context_tokens=37 + 159, prompt_tokens=457 + 248) * 1000:.1f} ms"
    '36.4 ms'
    """
    compute_s = 2 * PARAMETERS * (running + prompt_tokens) / FLOP_PER_S
    memory_s = (WEIGHT_BYTES + KV_BYTES_PER_TOKEN * context_tokens) / BYTES_PER_S
    return compute_s if compute_s > memory_s else memory_s  # max() costs a call in every step


def real_card_pages(page_tokens: int) -> int:
    """Pages of `page_tokens` tokens that fit on the real card beside weights and activations.

    >>> f"{real_card_pages(page_tokens=16):,} pages"
    '25,720 pages'
    """
    cache_bytes = CARD_SHARE * CARD_BYTES - WEIGHT_BYTES - ACTIVATION_BYTES
    return int(cache_bytes / (page_tokens * KV_BYTES_PER_TOKEN))
