"""The server: tables over HTTP and WebSocket, on one port. ``run.serve`` runs it; this file loads none of it."""
