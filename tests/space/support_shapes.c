// SPDX-License-Identifier: MIT
#include "support_shapes.h"

test_mesh test_structure_shape(int shape, random_stream *random)
{
    test_mesh mesh = {0};
    switch (shape) {
    case 0:
        return test_mesh_icosphere(1.0, 4);
    case 1:
        return test_mesh_torus(1.0, 0.25, 40, 20);
    case 2: // flat
        return test_mesh_grid(20, 20, 0.1);
    case 3:
        return test_mesh_random_triangles(random, 300, 0.3, 0);
    case 4: // on a raster: many coordinates are equal
        return test_mesh_random_triangles(random, 300, 1.0, 8);
    case 5: // one triangle, many times
        for (int i = 0; i < 100; i++)
            test_mesh_add_loose_triangle(&mesh, (const double[3][3]){{0, 0, 0}, {1, 0.5, 0.25}, {0.25, 1, 0.5}});
        return mesh;
    case 6: // needles, all across each other
        for (int i = 0; i < 200; i++) {
            double c[3][3];
            for (int j = 0; j < 3; j++) {
                c[0][j] = random_signed(random);
                c[1][j] = random_signed(random);
                c[2][j] = c[1][j] + 1e-9 * random_signed(random);
            }
            test_mesh_add_loose_triangle(&mesh, (const double(*)[3])c);
        }
        return mesh;
    case 7: // two crowds, one far from the other
        mesh = test_mesh_icosphere(1e-3, 2);
        {
            test_mesh far = test_mesh_icosphere(1.0, 2);
            test_mesh_move(&far, 1e5, 0, 0);
            test_mesh_append(&mesh, &far);
            test_mesh_finish(&far);
        }
        return mesh;
    default: // a line: triangles without area
        for (int i = 0; i < 100; i++) {
            const double at = random_signed(random);
            test_mesh_add_loose_triangle(&mesh, (const double[3][3]){{at, 0, 0}, {at + 0.01, 0, 0}, {at + 0.02, 0, 0}});
        }
        return mesh;
    }
}
