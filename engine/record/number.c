#include "record/number.h"

#include <stdio.h>
#include <string.h>

// Decimals m / 10^d with m < 2^53 and d <= 22 read back as the correctly rounded quotient of two exact doubles
// (W. D. Clinger, How to read floating point numbers accurately, 1990), so one division proves a candidate.
static const double power_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const double exact_integers = 9007199254740992.0; // 2^53

static char *write_digits(char *end, uint64_t value) {
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434"
        "44546474849505152535455565758596061626364656667686970717273747576777879808182838485868788"
        "8990919293949596979899";
    while (value >= 100) {
        end -= 2;
        memcpy(end, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, pairs + 2 * value, 2);
    } else {
        *--end = (char)('0' + value);
    }
    return end;
}

char *number_from_integer(char *at, uint64_t value) {
    char digits[20];
    char *start = write_digits(digits + sizeof digits, value);
    size_t length = (size_t)(digits + sizeof digits - start);
    memcpy(at, start, length);
    return at + length;
}

// value / 10^decimals, decimals <= 22, without trailing zeros.
static char *write_decimal(char *at, uint64_t value, int decimals) {
    while (decimals > 0 && value % 10 == 0) {
        value /= 10;
        decimals--;
    }
    char digits[48];
    char *end = digits + sizeof digits;
    char *start = write_digits(end, value);
    while (end - start <= decimals) *--start = '0'; // 0.00123
    size_t whole = (size_t)(end - start - decimals);
    memcpy(at, start, whole);
    at += whole;
    if (decimals > 0) {
        *at++ = '.';
        memcpy(at, start + whole, (size_t)decimals);
        at += decimals;
    }
    return at;
}

static char *write_slowly(char *at, double value, int digits) {
    return at + snprintf(at, NUMBER_CHARS, "%.*g", digits, value);
}

// k of 10^k <= value < 10^(k+1) for value in [1e-3, 1e15).
static int magnitude(double value) {
    if (value < 1.0) return value >= 0.1 ? -1 : value >= 0.01 ? -2 : -3;
    int k = 0;
    while (value >= power_of_ten[k + 1]) k++;
    return k;
}

// round(value * 10^decimals) for value in [1e-3, 1e15) and decimals such that the result has 17 digits (or is 10^17):
// exact in 128 bits. 17 digits identify any double.
static uint64_t seventeen_digits(double value, int decimals) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52; // value = fraction * 2^-shift
    unsigned shift = 1075 - (unsigned)(bits >> 52);                             // 3..62
    uint64_t power = (uint64_t)power_of_ten[decimals];                          // at most 10^19 < 2^64
    uint64_t a0 = fraction & UINT32_MAX, a1 = fraction >> 32, b0 = power & UINT32_MAX, b1 = power >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), carry = a0 * b1 + (middle & UINT32_MAX);
    uint64_t high = a1 * b1 + (middle >> 32) + (carry >> 32);
    low = carry << 32 | (low & UINT32_MAX);
    return (high << (64 - shift) | low >> shift) + (low >> (shift - 1) & 1);
}

char *number_from_double(char *at, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63) {
        *at++ = '-';
        value = -value;
    }
    if (value == 0.0) {
        *at++ = '0';
        return at;
    }
    if (!(value >= 1e-3 && value < 1e15)) return write_slowly(at, value, 17);
    int k = magnitude(value);
    for (int digits = 15; digits <= 16; digits++) {
        int decimals = digits - 1 - k;
        double scaled = value * power_of_ten[decimals];
        if (scaled >= exact_integers) break;
        uint64_t candidate = (uint64_t)scaled;
        candidate += scaled - (double)candidate >= 0.5;
        if ((double)candidate / power_of_ten[decimals] == value) return write_decimal(at, candidate, decimals);
    }
    return write_decimal(at, seventeen_digits(value, 16 - k), 16 - k);
}

char *number_from_float(char *at, float narrow) {
    double value = narrow;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (bits >> 63) {
        *at++ = '-';
        value = -value;
        narrow = -narrow;
    }
    if (value == 0.0) {
        *at++ = '0';
        return at;
    }
    if (!(value >= 1e-3 && value < 1e9)) return write_slowly(at, value, 9);
    int k = magnitude(value);
    for (int digits = 7; digits <= 9; digits++) {
        int decimals = digits - 1 - k;
        double scale = decimals >= 0 ? power_of_ten[decimals] : 1.0;
        uint64_t candidate = (uint64_t)(value * scale + 0.5);
        double difference = (double)candidate / scale - value;
        // Clear of the middle between two floats, so that reading by way of a double rounds to the same.
        if ((float)(value + 1.000001 * difference) == narrow) {
            return write_decimal(at, candidate, decimals >= 0 ? decimals : 0);
        }
    }
    return write_slowly(at, value, 9);
}
