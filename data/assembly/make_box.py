#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make the parts of a small box, in millimetres: tray.stl, lid.stl, board.stl and pin.stl, beside this script or in FOLDER.

Usage: python3 data/assembly/make_box.py [FOLDER]

The lid lies flush on the walls of the tray, and its lip flush within them; the board lies flush on the floor. The pin is pressed
into the board, which has no hole for it: those two overlap.
"""
import os
import sys


def rectangle(x0, y0, x1, y1, z):
    return [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]


def face(corners, up):
    return corners if up else corners[::-1]


def between(lower, upper, outwards):
    """The four faces between two rectangles, seen from outside if they go counter-clockwise."""
    sides = [[lower[i], lower[(i + 1) % 4], upper[(i + 1) % 4], upper[i]] for i in range(4)]
    return [side if outwards else side[::-1] for side in sides]


def block(x0, y0, z0, x1, y1, z1):
    low, high = rectangle(x0, y0, x1, y1, z0), rectangle(x0, y0, x1, y1, z1)
    return [face(low, False), face(high, True)] + between(low, high, True)


def tray():
    low, rim = rectangle(0, 0, 40, 30, 0), rectangle(0, 0, 40, 30, 20)
    inner, floor = rectangle(2, 2, 38, 28, 20), rectangle(2, 2, 38, 28, 2)
    return [face(low, False), face(floor, True)] + between(low, rim, True) + between(rim, inner, True) + between(inner, floor, True)


def lid():
    top, under = rectangle(0, 0, 40, 30, 22), rectangle(0, 0, 40, 30, 20)
    lip, end = rectangle(2, 2, 38, 28, 20), rectangle(2, 2, 38, 28, 17)
    return [face(top, True), face(end, False)] + between(under, top, True) + between(lip, under, True) + between(end, lip, True)


def write(folder, name, faces):
    with open(os.path.join(folder, name + ".stl"), "w", encoding="ascii", newline="\n") as file:
        file.write("solid %s\n" % name)
        for corners in faces:
            for triangle in (corners[:3], [corners[0], corners[2], corners[3]]):
                file.write("facet normal 0 0 0\nouter loop\n")
                for corner in triangle:
                    file.write("vertex %g %g %g\n" % corner)
                file.write("endloop\nendfacet\n")
        file.write("endsolid %s\n" % name)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    write(folder, "tray", tray())
    write(folder, "lid", lid())
    write(folder, "board", block(5, 5, 2, 35, 25, 4))
    write(folder, "pin", block(10, 10, 3, 12, 12, 9))


if __name__ == "__main__":
    main()
