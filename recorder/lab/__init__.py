"""The laboratory of the recorder: tables played on paper, and games compared with their scripts.

Scenarios, demo, benches and tests use it; what records at a table never imports it.
"""
