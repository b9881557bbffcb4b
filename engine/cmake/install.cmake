# What `cmake --install` leaves: headers, both libraries, their CMake packages and pkg-config files, the program with
# its manual, and the scenes.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake)
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH PKGCONFIG_TO_PREFIX /${pkgconfig_folder} /) # the .pc files work wherever the tree is moved
string(REGEX REPLACE "/$" "" PKGCONFIG_TO_PREFIX "${PKGCONFIG_TO_PREFIX}")

function(throng_install_package name header_folder)
    install(DIRECTORY ${header_folder}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
    install(TARGETS ${name}_static ${name}_shared EXPORT ${name}Targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT ${name}Targets NAMESPACE ${name}:: DESTINATION ${package_folder}/${name})
    configure_package_config_file(${PROJECT_SOURCE_DIR}/engine/cmake/${name}Config.cmake.in
        ${PROJECT_BINARY_DIR}/cmake/${name}Config.cmake INSTALL_DESTINATION ${package_folder}/${name})
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/${name}ConfigVersion.cmake
        COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_BINARY_DIR}/cmake/${name}Config.cmake ${PROJECT_BINARY_DIR}/cmake/${name}ConfigVersion.cmake
        DESTINATION ${package_folder}/${name})
    configure_file(${PROJECT_SOURCE_DIR}/engine/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/cmake/${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cmake/${name}.pc DESTINATION ${pkgconfig_folder})
endfunction()

if(TARGET kdtree_static)
    throng_install_package(kdtree ${PROJECT_SOURCE_DIR}/spatial/include)
endif()
if(TARGET throng_static)
    throng_install_package(throng ${PROJECT_SOURCE_DIR}/engine/include)
endif()

if(TARGET throng_program)
    install(TARGETS throng_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    foreach(section IN ITEMS 1 7)
        file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/engine/program/man/*.${section})
        install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
    endforeach()
    file(GLOB schemas CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/*.schema.json)
    install(FILES ${schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/throng)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/throng
        FILES_MATCHING PATTERN "*.json")
endif()
