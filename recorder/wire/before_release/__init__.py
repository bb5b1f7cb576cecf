"""Readers of forms that stand only in logs from before the first release.

No release ever wrote them. They stay as long as such logs, those of ``tests/golden/logs`` among
them, are to fold to the same games; nothing here writes.
"""
