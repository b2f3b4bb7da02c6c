# SPDX-License-Identifier: MIT
"""What a call from Python costs: 10,000 poses in one call beside the same in C, and single calls beside python-fcl's, in turn.

Usage: python3 bench/python/calls.py [BUILD/bench/bench_python_poses]   in the source folder; needs NumPy; python-fcl if installed
"""

import subprocess
import sys
import tempfile
import time
import timeit

import numpy as np

import libgraze

A, B = "data/nbody_a_bennu.ply", "data/nbody_a_itokawa.ply"
COUNT, RUNS, ROUNDS = 10_000, 3, 7


def poses():
    """Translations past each other; a third collides."""
    random = np.random.default_rng(1)
    all_poses = np.tile(np.eye(4), (COUNT, 1, 1))
    all_poses[:, :3, 3] = random.uniform(-1.5, 1.5, (COUNT, 3))
    return all_poses


def many(program):
    a, b, given = libgraze.load(A), libgraze.load(B), poses()
    ratios = []
    with tempfile.NamedTemporaryFile(suffix=".poses") as file:
        file.write(given.tobytes())
        file.flush()
        for _ in range(ROUNDS):
            best = 1e300
            for _ in range(RUNS):
                start = time.process_time()
                found = libgraze.collide_poses(a, b, given)
                best = min(best, time.process_time() - start)
            said = subprocess.run([program, A, B, file.name, str(RUNS)], check=True, capture_output=True, text=True).stdout.split()
            assert int(said[1]) == int(np.asarray(found.colliding).sum())
            ratios.append(best / float(said[0]))
            print(f"  {COUNT} poses: Python {1e3 * best:.2f} ms of processor time, C {1e3 * float(said[0]):.2f}")
    print(f"{COUNT} poses: {np.median(ratios):.3f} times C (median of {ROUNDS} rounds)")


def single():
    cube = np.array([[x, y, z] for z in (0.0, 1.0) for y in (0.0, 1.0) for x in (0.0, 1.0)])
    faces = np.array([[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
                      [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5]])
    mesh, apart = libgraze.Mesh(cube, faces), (5.0, 0.0, 0.0)
    other = libgraze.Mesh(cube + apart, faces)
    calls = {"libgraze.collide(), apart": lambda: libgraze.collide(mesh, other),
             "libgraze.collide(), apart, a new pose": lambda: libgraze.collide(mesh, mesh, pose_b=apart)}
    try:
        import fcl

        model = fcl.BVHModel()
        model.beginModel(len(cube), len(faces))
        model.addSubModel(cube, faces)
        model.endModel()
        one, two = fcl.CollisionObject(model), fcl.CollisionObject(model, fcl.Transform(np.array(apart)))
        request = fcl.CollisionRequest()
        calls["fcl.collide(), apart"] = lambda: fcl.collide(one, two, request, fcl.CollisionResult())

        def moved():
            two.setTransform(fcl.Transform(np.array(apart)))
            return fcl.collide(one, two, request, fcl.CollisionResult())

        calls["fcl.collide(), apart, a new pose"] = moved
    except ImportError:
        print("python-fcl is not installed")
    best = dict.fromkeys(calls, 1e300)
    for _ in range(20):
        for name, call in calls.items():
            best[name] = min(best[name], timeit.timeit(call, number=20_000) / 20_000)
    for name, seconds in best.items():
        print(f"{name}: {1e6 * seconds:.2f} us")


single()
if len(sys.argv) > 1:
    many(sys.argv[1])
