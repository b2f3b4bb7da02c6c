// SPDX-License-Identifier: MIT
// Constants that C and GLSL share for drawing environments: uniforms after those of view.vert.
#ifndef GRZ_IMAGE_ENVIRONMENT_ENVIRONMENT_BINDINGS_H
#define GRZ_IMAGE_ENVIRONMENT_ENVIRONMENT_BINDINGS_H

#define GRZ_AT_RECORD_LINEAR 5
#define GRZ_AT_RECORD_EYE 6
#define GRZ_AT_RECORD_ID 7

#endif
