# kernels/lane_*.c are written once over lanes and compiled once per instruction set, with
#   THRONG_ISA=<set>        to build the names of entries (avx2), and
#   THRONG_ISA_<SET>=1      to choose the lane type (THRONG_ISA_AVX2).
# Everything else in the library sees THRONG_HAVE_<SET>=1 for each set built, so that the table of kernels knows them.
# Only the lane objects may use the instructions; the choice is made at run time.

string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
if(processor MATCHES "^(x86_64|amd64)$")
    set(known_sets scalar sse2 avx2 avx512)
elseif(processor MATCHES "^(aarch64|arm64)$")
    set(known_sets scalar neon)
else()
    set(known_sets scalar)
endif()

set(flags_sse2 -msse2)
set(flags_avx2 -mavx2)
set(flags_avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mprefer-vector-width=512)

if(THRONG_KERNELS STREQUAL "all")
    set(kernel_sets ${known_sets})
else()
    set(kernel_sets ${THRONG_KERNELS})
    foreach(set IN LISTS kernel_sets)
        if(NOT set IN_LIST known_sets)
            message(FATAL_ERROR "THRONG_KERNELS: '${set}' is not a set of ${processor}; choose from ${known_sets}")
        endif()
    endforeach()
    if(NOT "scalar" IN_LIST kernel_sets)
        list(PREPEND kernel_sets scalar) # always there: the reference, and the fallback of an old CPU
    endif()
endif()

file(GLOB lane_sources CONFIGURE_DEPENDS kernels/lane_*.c)
set(THRONG_LANE_OBJECTS)
set(THRONG_HAVE)
foreach(set IN LISTS kernel_sets)
    string(TOUPPER ${set} upper)
    list(APPEND THRONG_HAVE THRONG_HAVE_${upper}=1)
    if(lane_sources)
        set(target throng_lanes_${set})
        add_library(${target} OBJECT ${lane_sources})
        throng_set_flags(${target})
        target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/include)
        target_compile_definitions(${target} PRIVATE THRONG_ISA=${set} THRONG_ISA_${upper}=1)
        target_compile_options(${target} PRIVATE ${flags_${set}} $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
        list(APPEND THRONG_LANE_OBJECTS $<TARGET_OBJECTS:${target}>)
    endif()
endforeach()
