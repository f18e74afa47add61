/** Checks ledgers with nothing but Python's standard library, so that nobody has to trust this program's own word. */
export const CHECK_LEDGER_SCRIPT = `#!/usr/bin/env python3
"""Checks each ledger against its first line: count and Merkle root (RFC 6962, section 2.1). Usage: check_ledger.py FILE..."""
import hashlib
import json
import sys


def root(lines):
    if not lines:
        return hashlib.sha256(b"").hexdigest()
    level = [hashlib.sha256(b"\\0" + line).digest() for line in lines]
    while len(level) > 1:
        pairs = [level[i:i + 2] for i in range(0, len(level), 2)]
        level = [hashlib.sha256(b"\\1" + p[0] + p[1]).digest() if len(p) == 2 else p[0] for p in pairs]
    return level[0].hex()


bad = 0
for path in sys.argv[1:]:
    with open(path, "rb") as ledger:
        header, *lines = ledger.read().split(b"\\n")
    said = json.loads(header)
    whole = lines[-1:] == [b""] and len(lines) - 1 == said["lines"] and "sha256:" + root(lines[:-1]) == said["merkleRoot"]
    print(("ok      " if whole else "FAILED  ") + path)
    bad += not whole
sys.exit(1 if bad else 0)
` as const;
