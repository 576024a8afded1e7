"""Packages that tests install; nothing in them is a test."""

collect_ignore_glob = ["*"]
