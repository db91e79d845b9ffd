"""Bytes: the only untrusted room. Nothing here raises for what a stranger has written, save `Unreadable`."""
