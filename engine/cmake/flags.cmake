# Flags of every target built here.

set(THRONG_WARNINGS
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> -Wvla
    -Wundef -Wno-missing-field-initializers) # what a designated initializer leaves out is zero on purpose

# The same bits from every compiler: no contraction to FMA. errno of sqrt is never read, and setting it blocks
# vectorization.
set(THRONG_NUMERIC_FLAGS -ffp-contract=off -fno-fast-math -fno-math-errno)

function(throng_set_flags target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
        C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE ${THRONG_NUMERIC_FLAGS} ${THRONG_WARNINGS})
    if(THRONG_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
    if(THRONG_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link) # coverage of what is fuzzed
    endif()
    if(THRONG_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link) # the fuzzer sees which code runs
    endif()
    if(THRONG_SANITIZE)
        set(sanitize -fsanitize=${THRONG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_compile_options(${target} PRIVATE ${sanitize})
        target_link_options(${target} PUBLIC -fsanitize=${THRONG_SANITIZE})
    endif()
endfunction()
