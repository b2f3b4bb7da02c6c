# SPDX-License-Identifier: MIT
# Defines graze_flags, an interface target that every target of ours links: the language, the floating-point rules on
# which the exactness rests (docs/reference/numbers.md), the warnings and the sanitizers. graze_warnings and
# graze_sanitize are its parts that C++ tests share. Flags of the user's that would change what a sum or a product is
# are taken out, and that is told; src/base/arithmetic.c refuses to compile where one came through another way.

# Flags that allow other results than IEEE 754 double arithmetic, rounded once. -Ofast is -O3 with most of them.
string(
    CONCAT graze_inexact_flags
           "-(Ofast|ffast-math|funsafe-math-optimizations|fassociative-math|freciprocal-math|ffinite-math-only|fno-signed-zeros|"
           "fapprox-func|fno-honor-nans|fno-honor-infinities|fsingle-precision-constant|mdaz-ftz|ffp-contract=(on|fast[a-z-]*)|"
           "ffp-model=(fast|aggressive)|fdenormal-fp-math=[a-z,-]*(preserve|positive)[a-z,-]*|fexcess-precision=(fast|16))")

# Take the inexact flags out of the list `flags`; what is left goes to `kept`, and they are added to graze_removed.
macro(graze_remove_inexact flags kept)
    set(${kept})
    foreach(graze_flag IN ITEMS ${flags})
        if(graze_flag MATCHES "^${graze_inexact_flags}$")
            list(APPEND graze_removed ${graze_flag})
        else()
            list(APPEND ${kept} "${graze_flag}")
        endif()
        if(graze_flag STREQUAL "-Ofast")
            list(APPEND ${kept} -O3)
        endif()
    endforeach()
endmacro()

set(graze_removed)
# Linking with -ffast-math sets flush-to-zero at the start of the program.
foreach(graze_part C_FLAGS EXE_LINKER_FLAGS SHARED_LINKER_FLAGS)
    foreach(graze_variant "" _DEBUG _RELEASE _RELWITHDEBINFO _MINSIZEREL)
        set(graze_variable CMAKE_${graze_part}${graze_variant})
        if("${${graze_variable}}" MATCHES "${graze_inexact_flags}")
            string(REPLACE " " ";" graze_value "${${graze_variable}}")
            graze_remove_inexact("${graze_value}" graze_value)
            list(JOIN graze_value " " ${graze_variable})
        endif()
    endforeach()
endforeach()
foreach(graze_property COMPILE_OPTIONS LINK_OPTIONS) # what a project around this one asks of all its parts
    get_property(graze_value DIRECTORY PROPERTY ${graze_property})
    if("${graze_value}" MATCHES "${graze_inexact_flags}")
        graze_remove_inexact("${graze_value}" graze_value)
        set_property(DIRECTORY PROPERTY ${graze_property} "${graze_value}")
    endif()
endforeach()
if(graze_removed)
    list(REMOVE_DUPLICATES graze_removed)
    list(JOIN graze_removed " " graze_removed)
    message(NOTICE "Graze is built without ${graze_removed}: its answers rest on IEEE arithmetic (docs/reference/numbers.md)")
endif()

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
# Threads, clocks and processes, which strict C17 hides.
target_compile_definitions(graze_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
target_compile_options(graze_flags INTERFACE -fno-fast-math -ffp-contract=off)
# The x87 unit rounds twice; every predicate rests on results rounded once, to double.
if(CMAKE_SIZEOF_VOID_P EQUAL 4 AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(i[3-6]86|x86|x86_64|AMD64)$")
    target_compile_options(graze_flags INTERFACE -msse2 -mfpmath=sse)
endif()
# gcc 12.2 at -O3 sometimes leaves out a rounding: of 3 × 3 doubles that are stored as floats and read again it keeps one as
# it was (tests/base/test_float_rounding.c). The pass that does it is the one that makes vectors of straight-line code.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(graze_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fno-tree-slp-vectorize>)
endif()
# gcc fills and copies structures of 33 bytes to 8 KiB by `rep stos` and `rep movs`, which take some 30 cycles to start:
# a tenth of the time of a query of two small meshes. Vectors of 16 bytes take a few.
include(CheckCCompilerFlag)
set(blocks -mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign -mmemcpy-strategy=vector_loop:512:noalign,libcall:-1:noalign)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    check_c_compiler_flag("${blocks}" GRZ_BLOCK_STRATEGY)
    if(GRZ_BLOCK_STRATEGY)
        target_compile_options(graze_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:${blocks}>)
    endif()
endif()
