"""A model server small enough to read: paged cache, batcher and metrics around a step-time formula.

>>> from tinyserve import chats, load_test
>>> load_test(chats(), rate=40, pages=240, limit=16)["wall"]
'cache'
"""

from tinyserve.tiny_server import Run, bottleneck, load_test, report, serve
from tinyserve.workload import Workload, arrival_rate, chats

__all__ = [
    "Run",
    "Workload",
    "arrival_rate",
    "bottleneck",
    "chats",
    "load_test",
    "report",
    "serve",
]
__version__ = "0.3.0"
