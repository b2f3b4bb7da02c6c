# SPDX-License-Identifier: MIT
# Defines graze_flags, an interface target that every target of ours links: the language, the floating-point rules on which the
# exactness rests (docs/numbers.md), the warnings and the sanitizers. graze_warnings and graze_sanitize are its parts that C++ tests
# share.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

add_library(graze_warnings INTERFACE)
target_compile_options(
    graze_warnings
    INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wvla -Wundef
              $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
              $<$<BOOL:${GRZ_WERROR}>:-Werror>)

add_library(graze_sanitize INTERFACE)
if(GRZ_SANITIZE)
    target_compile_options(graze_sanitize INTERFACE -fsanitize=${GRZ_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(graze_sanitize INTERFACE -fsanitize=${GRZ_SANITIZE})
endif()

add_library(graze_flags INTERFACE)
target_link_libraries(graze_flags INTERFACE graze_warnings graze_sanitize)
# Threads, clocks, processes: what strict C17 hides.
target_compile_definitions(graze_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
target_compile_options(graze_flags INTERFACE -ffp-contract=off -fno-fast-math)
# The x87 unit rounds twice; every predicate rests on results rounded once, to double.
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(i[3-6]86|x86|x86_64|AMD64)$")
    target_compile_options(graze_flags INTERFACE -msse2 -mfpmath=sse)
endif()
