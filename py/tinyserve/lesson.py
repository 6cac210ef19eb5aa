"""The lesson's settings, which trace, figures, command line and page start from."""

RATE_LIGHT = 10  # chats a second of the light load, which every other load is set beside
RATE_HEAVY = 40  # chats a second of the heavy one
PAGES = 240  # pages of the cache, 480 MiB: tiny, so that 400 chats suffice to fill it
MORE_PAGES = 480  # pages with which the third run of the clipboard is made
LIMIT = 16  # chats in a step
