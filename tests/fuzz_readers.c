// SPDX-License-Identifier: MIT
// libFuzzer's door to the file readers: the first byte chooses the extension, the rest is the file. A model that is accepted
// has to keep what model.h promises. Link it with the readers only, built without Assimp, so that nothing forks:
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -Icli tests/fuzz_readers.c cli/model.c cli/read_*.c
//       cli/text_scan.c -lm
#include "read.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool truth)
{
    if (!truth)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.obj", "a.stl", "a.ply", "a.off", "a"};
    char message[MODEL_MESSAGE_SIZE];
    model m;
    if (size == 0)
        return 0;
    if (!model_read_memory(names[data[0] % 5], false, data + 1, size - 1, &m, message)) {
        require(message[0] == 'a' && m.positions == NULL && m.indices == NULL && m.part_count == 0 && m.note_count == 0);
        return 0;
    }
    uint64_t corners = 0, faces = 0;
    require(m.face_count > 0);
    for (uint64_t f = 0; f < m.face_count; f++) {
        uint32_t count = m.corner_counts ? m.corner_counts[f] : 3;
        require(count >= 3);
        corners += count;
    }
    require(corners == m.index_count);
    for (uint64_t i = 0; i < m.index_count; i++)
        require(m.indices[i] < m.vertex_count);
    for (size_t i = 0; i < m.part_count; i++) {
        require(m.parts[i].first_face == faces && m.parts[i].face_count > 0);
        faces += m.parts[i].face_count;
    }
    require(m.part_count == 0 || faces == m.face_count);
    // Memory stays within a multiple of the file: an OBJ face "f 1 1 1" of eight bytes takes sixteen, a PLY strip of bytes
    // twelve each.
    require(m.vertex_count + m.index_count <= 4 * (uint64_t)size);
    model_finish(&m);
    return 0;
}
