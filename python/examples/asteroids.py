# SPDX-License-Identifier: MIT
"""Two asteroids (data/README.md): do they collide, where, how far apart are they elsewhere; then a page to look at.

Usage: python3 python/examples/asteroids.py [PAGE.html]
"""

import sys
from pathlib import Path

import libgraze

data = Path(__file__).resolve().parents[2] / "data"
bennu, itokawa = libgraze.load(data / "nbody_a_bennu.ply"), libgraze.load(data / "nbody_a_itokawa.ply")
found = libgraze.collide(bennu, itokawa, pose_b=(1, 1, 0), find="contacts")
print(found)
print(f"first contact at {found.contact_points.tolist()[0]}, between faces {found.pairs.tolist()[0]}")
print(libgraze.distance(bennu, itokawa, pose_b=(1.15, 1.15, 0)))
page = sys.argv[1] if len(sys.argv) > 1 else "asteroids.html"
found.show().save(page)
print(f"look at {page} in a browser")
