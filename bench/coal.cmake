# SPDX-License-Identifier: MIT
# Finds Coal, which Debian has no package of: sets coal_FOUND and makes the target coal::coal. Either it is installed
# where CMake looks, or GRZ_COAL_PREFIX names the folder cmeel.prefix of its package on PyPI (bench/peers/README.md). That
# folder also holds other versions of Boost, Assimp and octomap, so it must not be a folder where CMake looks for
# everything: Coal's headers and library are taken from it by name, and the library finds its own dependencies.
set(GRZ_COAL_PREFIX "" CACHE PATH "The folder cmeel.prefix of Coal's package on PyPI; empty: an installed Coal, if any")
if(NOT GRZ_COAL_PREFIX)
    find_package(coal QUIET)
    return()
endif()

foreach(coal_file include/coal/config.hh include/boost/version.hpp lib/libcoal.so)
    if(NOT EXISTS ${GRZ_COAL_PREFIX}/${coal_file})
        message(FATAL_ERROR "GRZ_COAL_PREFIX: ${GRZ_COAL_PREFIX} has no ${coal_file}")
    endif()
endforeach()
find_package(Eigen3 REQUIRED)
set(coal_FOUND TRUE)
add_library(coal::coal SHARED IMPORTED)
target_include_directories(coal::coal SYSTEM INTERFACE ${GRZ_COAL_PREFIX}/include)
target_link_libraries(coal::coal INTERFACE Eigen3::Eigen)
set_target_properties(coal::coal PROPERTIES IMPORTED_LOCATION ${GRZ_COAL_PREFIX}/lib/libcoal.so)
