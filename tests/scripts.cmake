# Tests that are scripts: the structure of the source, the libraries as built and installed, whole scenes.

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

function(throng_add_script name label)
    add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 1800)
endfunction()

set(structure ${CMAKE_CURRENT_SOURCE_DIR}/structure)
if(NOT CMAKE_CROSSCOMPILING)
    throng_add_script(layers structure ${structure}/test_layers.py ${PROJECT_SOURCE_DIR})

    # Other versions of clang-format break lines elsewhere.
    find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
    if(CLANG_FORMAT)
        execute_process(COMMAND ${CLANG_FORMAT} --version OUTPUT_VARIABLE format_version)
        if(format_version MATCHES "version 14\\.")
            file(GLOB_RECURSE formatted CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/*.[ch]
                ${PROJECT_SOURCE_DIR}/spatial/*.[ch] ${PROJECT_SOURCE_DIR}/bench/*.[ch] ${CMAKE_CURRENT_SOURCE_DIR}/*.[ch])
            add_test(NAME format COMMAND ${CLANG_FORMAT} --dry-run -Werror ${formatted})
            set_tests_properties(format PROPERTIES LABELS structure)
        endif()
    endif()

    find_program(THRONG_CXX NAMES c++ g++ clang++)
    if(NOT THRONG_CXX)
        message(STATUS "No C++ compiler: the public headers are tested as C only")
        set(THRONG_CXX "")
    endif()
    throng_add_script(headers structure ${structure}/test_headers.py ${CMAKE_C_COMPILER} "${THRONG_CXX}"
        ${PROJECT_SOURCE_DIR}/engine/include ${PROJECT_SOURCE_DIR}/spatial/include)
endif()

foreach(library IN ITEMS throng kdtree)
    if(TARGET ${library}_shared)
        if(library STREQUAL "throng")
            set(prefix throng_)
            set(headers ${PROJECT_SOURCE_DIR}/engine/include)
        else()
            set(prefix kdt_)
            set(headers ${PROJECT_SOURCE_DIR}/spatial/include)
        endif()
        throng_add_script(symbols_${library} structure ${structure}/test_symbols.py ${CMAKE_C_COMPILER} ${CMAKE_NM} ${prefix}
            $<TARGET_FILE:${library}_static> $<TARGET_FILE:${library}_shared> ${headers})
        if(NOT THRONG_SANITIZE)
            throng_add_script(arithmetic_${library} structure ${structure}/test_arithmetic.py
                ${CMAKE_NM} ${CMAKE_OBJDUMP} $<TARGET_FILE:${library}_static>)
        endif()
    endif()
endforeach()

if(TARGET throng_shared AND NOT THRONG_SANITIZE)
    throng_add_script(readme structure ${structure}/test_readme.py ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER}
        $<TARGET_FILE:throng_shared> -Wl,-rpath,$<TARGET_FILE_DIR:throng_shared>
        $<TARGET_FILE:kdtree_shared> -Wl,-rpath,$<TARGET_FILE_DIR:kdtree_shared>)
endif()

if(TARGET throng_shared AND NOT CMAKE_CROSSCOMPILING)
    set(argument_tests ${unit_sources})
    list(FILTER argument_tests INCLUDE REGEX "/test_arguments_[a-z]+\\.c$")
    list(TRANSFORM argument_tests REPLACE ".*/(.+)\\.c$" "$<TARGET_FILE:\\1>")
    throng_add_script(arguments structure ${structure}/test_arguments_tested.py ${CMAKE_NM} $<TARGET_FILE:throng_shared>
        ${argument_tests})
endif()

if(TARGET throng_program)
    throng_add_script(program program ${CMAKE_CURRENT_SOURCE_DIR}/program/test_program.py $<TARGET_FILE:throng_program>)
    throng_add_script(schema program ${CMAKE_CURRENT_SOURCE_DIR}/program/test_schema.py $<TARGET_FILE:throng_program>
        ${PROJECT_SOURCE_DIR}/data/scene.schema.json ${PROJECT_SOURCE_DIR}/data/scenes ${CMAKE_CURRENT_SOURCE_DIR}/cases)
    throng_add_script(manual program ${CMAKE_CURRENT_SOURCE_DIR}/program/test_manual.py $<TARGET_FILE:throng_program>
        ${PROJECT_SOURCE_DIR}/engine/program/man ${PROJECT_SOURCE_DIR}/data/scene.schema.json)
    throng_add_script(models program ${CMAKE_CURRENT_SOURCE_DIR}/program/test_models.py $<TARGET_FILE:throng_program>
        ${PROJECT_SOURCE_DIR}/data/scenes/oscillation.json ${PROJECT_SOURCE_DIR}/README.md)
    if(sqlite3_FOUND AND cairo_FOUND)
        throng_add_script(files program ${CMAKE_CURRENT_SOURCE_DIR}/program/test_files.py $<TARGET_FILE:throng_program>
            ${PROJECT_SOURCE_DIR}/data/scenes)
    endif()
    throng_add_script(cases_foundation cases ${CMAKE_CURRENT_SOURCE_DIR}/cases/run_cases.py
        $<TARGET_FILE:throng_program> foundation)
    if(NOT THRONG_SANITIZE)
        throng_add_script(cases_liveness cases ${CMAKE_CURRENT_SOURCE_DIR}/cases/run_cases.py
            $<TARGET_FILE:throng_program> liveness)
    endif()
    list(JOIN THRONG_KERNEL_SETS "," kernels)
    set(settings --kernels ${kernels})
    if(THRONG_SANITIZE)
        set(settings --threads 3) # slow here, and the other builds try them all
    endif()
    throng_add_script(golden golden ${CMAKE_CURRENT_SOURCE_DIR}/golden/test_golden.py
        $<TARGET_FILE:throng_program> ${PROJECT_SOURCE_DIR}/data ${settings})
    add_custom_target(update_golden
        COMMAND built_world ${golden}/built_world.txt --update
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/golden/test_golden.py
            $<TARGET_FILE:throng_program> ${PROJECT_SOURCE_DIR}/data ${settings} --update
        VERBATIM)
    if(NOT THRONG_SANITIZE)
        throng_add_script(install structure ${CMAKE_CURRENT_SOURCE_DIR}/install/test_install.py
            ${CMAKE_COMMAND} ${CMAKE_C_COMPILER} ${PROJECT_BINARY_DIR})
    endif()
endif()
