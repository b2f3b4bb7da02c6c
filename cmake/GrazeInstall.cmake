# SPDX-License-Identifier: MIT
# What `cmake --install` puts where (docs/use/install.md), in four components: graze_runtime (the shared library),
# graze_io (the shared libgraze_io, which needs libpng, jansson, expat and zlib), graze_development (headers, static libraries, CMake package,
# pkg-config, libgraze.3, libgraze_io.3) and graze_tool (the tool, its manual page and completion). All paths are
# GNUInstallDirs'; what is installed can be moved as a whole, unless one of the paths given was absolute.
include(CMakePackageConfigHelpers)

set(graze_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
set(graze_man_dir ${CMAKE_CURRENT_SOURCE_DIR}/man)

foreach(kind static shared)
    if(TARGET graze_${kind})
        install(
            TARGETS graze_${kind}
            EXPORT graze-${kind}-targets
            ARCHIVE COMPONENT graze_development
            LIBRARY COMPONENT graze_runtime NAMELINK_COMPONENT graze_development)
        install(EXPORT graze-${kind}-targets NAMESPACE graze:: DESTINATION ${graze_package_dir} COMPONENT graze_development)
    endif()
endforeach()
# libgraze_io, in export sets of its own: a package may be built without it.
foreach(kind static shared)
    if(TARGET graze_io_${kind})
        install(
            TARGETS graze_io_${kind}
            EXPORT graze-io-${kind}-targets
            ARCHIVE COMPONENT graze_development
            LIBRARY COMPONENT graze_io NAMELINK_COMPONENT graze_development)
        install(EXPORT graze-io-${kind}-targets NAMESPACE graze:: DESTINATION ${graze_package_dir} COMPONENT graze_development)
    endif()
endforeach()
set(graze_headers_left_out)
if(NOT GRZ_IO)
    set(graze_headers_left_out PATTERN io*.h EXCLUDE PATTERN io*.hpp EXCLUDE)
endif()
install(
    DIRECTORY include/graze
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT graze_development
    FILES_MATCHING
    PATTERN "*.h"
    PATTERN "*.hpp" ${graze_headers_left_out})

# The CMake package. Compatible versions: those with the same SOVERSION.
configure_package_config_file(cmake/graze-config.cmake.in graze-config.cmake INSTALL_DESTINATION ${graze_package_dir})
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
else()
    set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(graze-config-version.cmake COMPATIBILITY ${compatibility})
install(
    FILES ${CMAKE_CURRENT_BINARY_DIR}/graze-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/graze-config-version.cmake
    DESTINATION ${graze_package_dir}
    COMPONENT graze_development)

# pkg-config. The prefix is found from the file's own place, so that `cmake --install --prefix` and moving the tree are
# right, but not where the file's place says nothing about it, nor for /usr, whose -I and -L pkg-config then knows to
# leave out.
set(graze_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(graze_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${graze_pc_dir} OUTPUT_VARIABLE up)
    set(graze_pc_prefix "\${pcfiledir}/${up}")
endif()
foreach(dir includedir libdir)
    string(TOUPPER ${dir} upper)
    cmake_path(APPEND graze_pc_${dir} "\${prefix}" ${CMAKE_INSTALL_${upper}}) # an absolute path replaces what stands before it
endforeach()
list(JOIN graze_gl_libraries " " graze_pc_private)
string(PREPEND graze_pc_private " ")
string(APPEND graze_pc_private " -pthread -lm")
if(NOT TARGET graze_shared)
    set(graze_pc_libs "${graze_pc_private}")
    set(graze_pc_private "")
endif()
configure_file(cmake/graze.pc.in graze.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze.pc DESTINATION ${graze_pc_dir} COMPONENT graze_development)
if(GRZ_IO)
    list(JOIN graze_io_libraries " " graze_pc_private)
    string(PREPEND graze_pc_private " ")
    string(APPEND graze_pc_private " -lm")
    set(graze_pc_libs "")
    if(NOT TARGET graze_io_shared)
        set(graze_pc_libs "${graze_pc_private}")
        set(graze_pc_private "")
    endif()
    configure_file(cmake/graze_io.pc.in graze_io.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze_io.pc DESTINATION ${graze_pc_dir} COMPONENT graze_development)
endif()

# Manual pages, with the version filled in, and documents.
set(graze_pages libgraze)
if(GRZ_IO)
    list(APPEND graze_pages libgraze_io)
endif()
foreach(page IN LISTS graze_pages)
    configure_file(man/${page}.3 ${page}.3 @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${page}.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3 COMPONENT graze_development)
endforeach()
# Links in the documents to what stays in the sources become plain text; scripts/test-install follows those that are
# left.
set(graze_not_installed "(\\.\\./)*(CONTRIBUTING\\.md|cmake/symbols(-io)?\\.txt|data/README\\.md|python/README\\.md|include/graze[^)]*|abi|bench/results/[^)]*)")
file(GLOB documents RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS README.md CHANGELOG.md docs/*.md docs/*/*.md)
foreach(document IN LISTS documents)
    file(READ ${document} text)
    string(REGEX REPLACE "!?\\[([^]]*)\\]\\(${graze_not_installed}\\)" "\\1" text "${text}")
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/documents/${document} "${text}")
    cmake_path(GET document PARENT_PATH folder)
    install(
        FILES ${CMAKE_CURRENT_BINARY_DIR}/documents/${document}
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder}
        COMPONENT graze_development)
endforeach()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${documents})
install(
    DIRECTORY docs/
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
    COMPONENT graze_development
    FILES_MATCHING
    PATTERN "*.png"
    PATTERN "*.svg")
# Every component includes the licence, as the licence demands.
set(components runtime development)
if(GRZ_TOOL)
    list(APPEND components tool)
endif()
if(TARGET graze_io_shared)
    list(APPEND components io)
endif()
foreach(component IN LISTS components)
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT graze_${component})
endforeach()

if(GRZ_TOOL)
    # A tool that uses the shared library finds it next to itself. Distributions switch this off:
    # CMAKE_SKIP_INSTALL_RPATH.
    if(graze_kind STREQUAL "shared" AND NOT DEFINED CMAKE_INSTALL_RPATH)
        cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_BINDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE bin)
        cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE lib)
        cmake_path(RELATIVE_PATH lib BASE_DIRECTORY ${bin})
        set_target_properties(graze_tool PROPERTIES INSTALL_RPATH "\$ORIGIN/${lib}")
    endif()
    install(TARGETS graze_tool RUNTIME COMPONENT graze_tool)
    configure_file(man/graze.1 graze.1 @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/graze.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT graze_tool)
    install(
        FILES completions/graze.bash
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME graze
        COMPONENT graze_tool)
endif()

# Programs find a shared library in a new folder only after ldconfig has run, or by a path of their own: print a note in
# that case. This stands last, where the user sees it.
if(TARGET graze_shared AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_CROSSCOMPILING)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/ldconfig_note.cmake CONTENT [[
if("$ENV{DESTDIR}" STREQUAL "")
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE OUTPUT_VARIABLE folder)
    cmake_path(APPEND folder "@CMAKE_INSTALL_LIBDIR@")
    find_program(GRZ_LDCONFIG ldconfig PATHS /sbin /usr/sbin)
    set(known)
    if(GRZ_LDCONFIG)
        execute_process(COMMAND ${GRZ_LDCONFIG} -p OUTPUT_VARIABLE known ERROR_QUIET)
    endif()
    string(FIND "${known}" " => ${folder}/libgraze.so.@graze_soversion@\n" found)
    if(found EQUAL -1)
        message(STATUS "Programs do not find ${folder}/libgraze.so.@graze_soversion@ yet: run ldconfig as root if the system "
                       "searches that folder, or link them with -Wl,-rpath,${folder}")
    endif()
endif()
]] @ONLY)
    install(SCRIPT ${CMAKE_CURRENT_BINARY_DIR}/ldconfig_note.cmake COMPONENT graze_runtime)
endif()
