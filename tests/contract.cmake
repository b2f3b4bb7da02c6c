# SPDX-License-Identifier: MIT
# Tests of what the library promises its users at compile time: every public header stands alone, in C and in C++; the README's
# example compiles against the public headers alone, and runs. And the peers: *.cpp files that compare with CGAL.

# A source for every header that includes nothing else, and one with main().
function(graze_add_header_test language extension)
    set(sources ${CMAKE_CURRENT_BINARY_DIR}/headers_main.${extension})
    file(GENERATE OUTPUT ${sources} CONTENT "#include <graze/graze.h>\nint main(void)\n{\n    return grz_version()[0] == 0;\n}\n")
    file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/graze/*.h)
    foreach(header IN LISTS headers)
        string(MAKE_C_IDENTIFIER ${header} identifier)
        set(source ${CMAKE_CURRENT_BINARY_DIR}/headers_${identifier}.${extension})
        # Included twice: include guards work.
        file(GENERATE OUTPUT ${source} CONTENT "#include <${header}>\n#include <${header}>\n")
        list(APPEND sources ${source})
    endforeach()
    add_executable(public_headers_${extension} ${sources})
    target_compile_options(public_headers_${extension} PRIVATE -Wall -Wextra -Wpedantic -Werror)
    target_link_libraries(public_headers_${extension} PRIVATE graze graze_sanitize)
    add_test(NAME public_headers_${extension} COMMAND public_headers_${extension})
    set_tests_properties(public_headers_${extension} PROPERTIES LABELS contract TIMEOUT 60)
endfunction()

graze_add_header_test(C c)

include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 17)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    set(CMAKE_CXX_EXTENSIONS OFF)
    graze_add_header_test(CXX cpp)
    set(CGAL_DO_NOT_WARN_ABOUT_CMAKE_BUILD_TYPE TRUE)
    find_package(CGAL QUIET)
else()
    graze_add_skipped_test(public_headers_cpp "no C++ compiler")
endif()

file(GLOB peer_sources CONFIGURE_DEPENDS ${tests_dir}/*.cpp)
foreach(source IN LISTS peer_sources)
    cmake_path(GET source STEM name)
    if(NOT CGAL_FOUND)
        graze_add_skipped_test(${name} "CGAL is not installed (libcgal-dev)")
        continue()
    endif()
    graze_uses_tool(${source} uses_tool)
    if(uses_tool AND NOT GRZ_TOOL)
        graze_add_skipped_test(${name} "the tool is not built")
        continue()
    endif()
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE ${support} $<$<BOOL:${uses_tool}>:graze_cli> graze CGAL::CGAL graze_warnings graze_sanitize
        graze_test_base)
    graze_add_test(${name} ${source})
    set_property(TEST ${name} APPEND PROPERTY LABELS peer)
    # The check for stack used after return, which scripts/sanitize asks for, makes CGAL's exact numbers ten times slower.
    set_property(TEST ${name} PROPERTY ENVIRONMENT_MODIFICATION "ASAN_OPTIONS=string_append::detect_stack_use_after_return=0")
endforeach()

# The programs in the documents, as a user would paste them. Semicolons and brackets would be list syntax to CMake's MATCH results, so
# text is cut by position.

# What stands in `text` from the first `from` to the next `to`, both left out; `rest` receives what follows. An error where there is none.
function(graze_cut text from to where result rest)
    string(LENGTH "${from}" skip)
    string(FIND "${text}" "${from}" start)
    if(start EQUAL -1)
        message(FATAL_ERROR "${where}: no ${from}: its programs are tests")
    endif()
    math(EXPR start "${start} + ${skip}")
    string(SUBSTRING "${text}" ${start} -1 text)
    string(FIND "${text}" "${to}" end)
    if(end EQUAL -1)
        message(FATAL_ERROR "${where}: no ${to}")
    endif()
    string(SUBSTRING "${text}" 0 ${end} cut)
    string(SUBSTRING "${text}" ${end} -1 text)
    set(${result} "${cut}" PARENT_SCOPE)
    set(${rest} "${text}" PARENT_SCOPE)
endfunction()

# Build a program against the public headers alone.
function(graze_add_client name program)
    file(CONFIGURE OUTPUT ${name}.c CONTENT "@program@\n" @ONLY)
    add_executable(${name} ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -Werror)
    target_link_libraries(${name} PRIVATE graze graze_sanitize Threads::Threads m)
endfunction()

# The README's first C block.
set(readme ${PROJECT_SOURCE_DIR}/README.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${readme})
file(READ ${readme} text)
graze_cut("${text}" "\n```c\n" "\n```" README.md program text)
graze_add_client(client_readme "${program}")
add_test(NAME client_readme COMMAND client_readme WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(client_readme PROPERTIES LABELS contract TIMEOUT 60)

# The guide's: each is followed by what it prints.
set(guide ${PROJECT_SOURCE_DIR}/docs/guide.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${guide})
file(READ ${guide} text)
while(text MATCHES "<!-- program: ")
    graze_cut("${text}" "<!-- program: " " -->" guide.md name text)
    graze_cut("${text}" "\n```c\n" "\n```" guide.md program text)
    graze_cut("${text}" "\n```text\n" "```" guide.md printed text)
    graze_add_client(guide_${name} "${program}")
    file(CONFIGURE OUTPUT guide_${name}.expected CONTENT "@printed@" @ONLY)
    add_test(NAME guide_${name} COMMAND sh ${tests_dir}/prints.sh ${CMAKE_CURRENT_BINARY_DIR}/guide_${name}.expected
        $<TARGET_FILE:guide_${name}>)
    set_tests_properties(guide_${name} PROPERTIES LABELS contract TIMEOUT 60)
endwhile()
