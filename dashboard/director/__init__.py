"""The director's page: orders, evidence pictures, exports, printed pages."""
